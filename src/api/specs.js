/** The specs of an ecosystem file, and of apps that the daemon knows: as they are, and with other settings. */
import { findEcosystemFile, loadFile } from '../config/file/load.js';
import { resolveFrom, workingDirectory } from '../shared/files/inspect-path.js';
import { changeByFlags } from '../config/flags.js';
import { resolveApps } from '../config/resolve/apps.js';
import { NodeclusterError, usageError } from '../errors/error.js';
import { readPackageJson } from '../shared/files/small-file.js';
import { readTarget } from './selectors.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { Context } from '../cli/context.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { Description } from '../protocol/shapes.js'
 * @import { Caller, Order } from './replace.js'
 * @import { FileTarget } from './selectors.js'
 */

/** @typedef {Pick<Context, 'command' | 'cwd' | 'stdin' | 'env' | 'withStdoutOnStderr'>} Place where the command was typed */

/**
 * @param {Place} place
 * @param {FileTarget} target
 * @param {object} options
 * @param {string} [options.env] the settings of `env_<name>` too
 * @param {readonly string[]} [options.only] names of apps
 * @param {boolean} [options.lenient] unknown keys are warnings
 * @param {boolean} [options.runsElsewhere]
 * @returns {Promise<{specs: Spec[], file: string | null, warnings: string[]}>} file: its absolute
 *   path; null for stdin
 * @throws {NodeclusterError} E_NOTHING_NAMED, and the errors of ecosystem files
 */
export async function loadSpecs(place, target, { env: envName, only, lenient, runsElsewhere }) {
  const { cwd, stdin, env: shellEnv, withStdoutOnStderr } = place;
  const path = target.kind === 'file' ? target.file : findFile(place);
  const document = await withStdoutOnStderr(() => loadFile(path, { cwd, stdin }));
  const { specs, warnings } = resolveApps({
    document,
    envName,
    only,
    lenient,
    shellEnv,
    runsElsewhere,
  });
  return { specs, file: document.file, warnings };
}

/**
 * @param {Place & Pick<Context, 'warn'>} caller
 * @param {FileTarget} target
 * @param {Parameters<typeof loadSpecs>[2] & {settings?: Record<string, unknown>}} options
 * @returns {Promise<{specs: Spec[], file: string | null}>} each with the settings too
 * @throws {NodeclusterError} E_USAGE, E_FLAG_INVALID, and as loadSpecs
 */
export async function loadChangedSpecs(caller, target, { settings = {}, ...options }) {
  if ('name' in settings) throw notForFiles('--name works', caller);
  if ('args' in settings) throw notForFiles('Arguments after -- work', caller);
  const { specs, file, warnings } = await loadSpecs(caller, target, options);
  caller.warn(warnings);
  if (Object.keys(settings).length === 0) return { specs, file };
  const changed = specs.map((spec) => {
    const { spec: next, warnings: more } = changeByFlags(spec, settings, caller.cwd);
    // The file has had the same ones, in front of them its lines.
    const isNew = (/** @type {string} */ text) =>
      !warnings.some((each) => each.endsWith(text.slice(text.indexOf(' '))));
    caller.warn(more.filter(isNew));
    return next;
  });
  return { specs: changed, file };
}

/** @param {string} what @param {Place} caller */
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
    written: () => null,
    label: isOne ? 'The app' : 'The list of apps',
    file: null,
    directory: workingDirectory(),
  };
  const { specs, warnings } = resolveApps({ document, shellEnv: process.env });
  warn(warnings);
  return specs;
}

/** @param {Place} place */
function findFile({ cwd, command }) {
  const file = findEcosystemFile(resolveFrom(cwd, '.'));
  if (file !== null) return file;
  const hasPackage = readPackageJson(cwd) !== null;
  throw new NodeclusterError('E_NOTHING_NAMED', { command, directory: cwd, hasPackage });
}

/**
 * @param {DaemonClient} client
 * @param {string[]} selectors of apps; of a worker, its app is meant
 * @returns {Promise<Spec[]>} complete, with secrets; `shellEnv` without the variables that `env`
 *   overrides
 */
export async function fetchSpecs(client, selectors) {
  const [{ apps }, { apps: environments }] = await Promise.all([
    client.request('list', { selectors, fields: ['details'], showSecrets: true }),
    client.request('env', { selectors, showSecrets: true }),
  ]);
  return /** @type {Description[]} */ (apps).map(({ name, spec }) => {
    const { env = {} } = environments.find((each) => each.name === name) ?? {};
    const variables = Object.entries(env);
    const pick = (/** @type {boolean} */ isOfShell) =>
      Object.fromEntries(
        variables
          .filter(([, { from }]) => (from === 'shell') === isOfShell)
          .map(([variable, { value }]) => [variable, value]),
      );
    return { ...spec, env: pick(false), shellEnv: pick(true) };
  });
}

/**
 * @param {DaemonClient} client
 * @param {string[]} selectors
 * @param {object} change
 * @param {string} change.command
 * @param {Record<string, unknown>} change.settings by option key
 * @param {string} change.cwd what relative paths start from
 * @throws {NodeclusterError} E_USAGE, E_FLAG_INVALID, and what the daemon replies
 */
export async function fetchChangedSpecs(client, selectors, { command, settings, cwd }) {
  const before = await fetchSpecs(client, selectors);
  assertNoName(settings, command);
  assertWholeApps(selectors, before);
  const changed = before.map((spec) => changeByFlags(spec, settings, cwd));
  return {
    specs: changed.map(({ spec }) => spec),
    warnings: changed.flatMap(({ warnings }) => warnings),
  };
}

/** @param {Record<string, unknown>} settings @param {string} command */
function assertNoName({ name }, command) {
  if (name === undefined) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `${command} cannot rename an app: its log files and its sockets have its name`,
    advice: `\`nodecluster restart <app> --name ${name}\` does. Without an interruption: start it as \`--name ${name}\`, and delete the old one.`,
  });
}

/** @param {string[]} selectors @param {Pick<Spec, 'instances'>[]} specs */
function assertWholeApps(selectors, specs) {
  const worker = selectors.find((selector) => /^(.+:)?\d+$/.test(selector));
  if (worker === undefined || specs.every(({ instances }) => instances === 1)) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `Settings belong to a whole app, and ${worker} is one of its workers`,
    advice: 'Name the app; `nodecluster ls` shows its name.',
  });
}

/**
 * For commands that need only the names of a file's apps.
 * @param {Caller} caller
 * @param {string[]} words
 * @param {Order} options
 * @returns {Promise<string[]>} for an ecosystem file, those of its apps that the daemon knows
 * @throws {NodeclusterError} E_NO_APPS
 */
export async function namesFor(caller, words, options) {
  const target = readTarget({ words, options, command: caller.command });
  if (target.kind === 'selectors') return words;
  const { specs, file } = await loadSpecs(caller, target, options);
  const client = await caller.openForApps();
  const { apps } = await client.request('list', {});
  const known = new Set(apps.map(({ name }) => name));
  const names = specs.map(({ name }) => name).filter((name) => known.has(name));
  if (names.length > 0) return names;
  const { home } = caller.daemons;
  throw new NodeclusterError('E_NO_APPS', { home, file: file ?? 'standard input' });
}
