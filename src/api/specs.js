/** The specs of an ecosystem file, and of apps that the daemon knows: as they are, and with other settings. */
import { loadFile } from '../config/file/load.js';
import { workingDirectory } from '../shared/files/inspect-path.js';
import { changeByFlags } from '../config/flags.js';
import { resolveApps } from '../config/resolve/apps.js';
import { NodeclusterError, usageError } from '../errors/error.js';
import { fileAmong } from './selectors.js';

/**
 * @import { Context } from '../cli/context.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { Description } from '../protocol/shapes.js'
 * @import { Caller, Order } from './replace.js'
 */

/**
 * @param {Pick<Context, 'cwd' | 'stdin' | 'env' | 'withStdoutOnStderr'>} place where the command was typed
 * @param {string} path of an ecosystem file; `-`: stdin
 * @param {Pick<Order, 'env' | 'only' | 'lenient'> & {runsElsewhere?: boolean}} options
 * @returns file: its absolute path; null for stdin
 */
export async function loadSpecs(place, path, { env: envName, only, lenient, runsElsewhere }) {
  const { cwd, stdin, env: shellEnv, withStdoutOnStderr } = place;
  const document = await withStdoutOnStderr(() => loadFile(path, { cwd, stdin }));
  const how = { envName, only, lenient, shellEnv, runsElsewhere };
  return { ...resolveApps({ document, ...how }), file: document.file };
}

/** As loadSpecs, each with the settings of the order too. @param {Caller} caller @param {string} path @param {Order} order */
export async function loadChangedSpecs(caller, path, { settings, ...options }) {
  if ('name' in settings) throw notForFiles('--name works', caller);
  if ('args' in settings) throw notForFiles('Arguments after -- work', caller);
  const { specs, file, warnings } = await loadSpecs(caller, path, options);
  caller.warn(warnings);
  if (Object.keys(settings).length === 0) return { specs, file };
  const changed = specs.map((spec) => {
    const { spec: next, warnings: more } = changeByFlags(spec, settings, caller.cwd);
    // The file has had these.
    const known = changeByFlags(spec, {}, caller.cwd).warnings;
    caller.warn(more.filter((text) => !known.includes(text)));
    return next;
  });
  return { specs: changed, file };
}

/** @param {string} what @param {Caller} caller */
function notForFiles(what, { command }) {
  const reason = 'an ecosystem file has names and arguments of its own';
  return usageError(command, `${what} only with a program or an app: ${reason}`);
}

/** @param {object[]} apps of a program, each with its settings @param {Context['warn']} warn @throws {NodeclusterError} E_CONFIG_INVALID */
export function specsOf(apps, warn) {
  const isOne = apps.length === 1;
  const document = {
    value: isOne ? apps[0] : apps,
    locate: () => null,
    label: isOne ? 'The app' : 'The list of apps',
    file: null,
    directory: workingDirectory(),
  };
  const { specs, warnings } = resolveApps({ document, shellEnv: process.env });
  warn(warnings);
  return specs;
}

/** Complete, with secrets. @param {DaemonClient} client @param {string[]} selectors of a worker, its app is meant */
export async function fetchSpecs(client, selectors) {
  const [{ apps }, { apps: environments }] = await Promise.all([
    client.request('list', { selectors, fields: ['details'], showSecrets: true }),
    client.request('env', { selectors, showSecrets: true }),
  ]);
  return /** @type {Description[]} */ (apps).map(({ name, spec }) => {
    const { env = {} } = environments.find((each) => each.name === name) ?? {};
    const [ofShell, own] = [true, false].map((isOfShell) => {
      const some = Object.entries(env).filter(([, { from }]) => (from === 'shell') === isOfShell);
      return Object.fromEntries(some.map(([variable, { value }]) => [variable, value]));
    });
    return { ...spec, env: own, shellEnv: ofShell };
  });
}

/**
 * Of an ecosystem file, the names of those of its apps that the daemon knows; otherwise the words.
 * @param {Caller} caller
 * @param {string[]} words
 * @param {Omit<Order, 'settings'>} options
 */
export async function namesFor(caller, words, options) {
  const path = fileAmong(caller, words, options);
  if (path === null) return words;
  const { specs, file } = await loadSpecs(caller, path, options);
  const client = await caller.openForApps();
  const { apps } = await client.request('list', {});
  const known = new Set(apps.map(({ name }) => name));
  const names = specs.map(({ name }) => name).filter((name) => known.has(name));
  if (names.length > 0) return names;
  const { home } = caller.daemons;
  throw new NodeclusterError('E_NO_APPS', { home, file: file ?? 'standard input' });
}
