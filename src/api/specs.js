/** The specs of an ecosystem file, and of apps that the daemon knows: as they are, and with other settings. */
import { findEcosystemFile, loadFile } from '../config/file/load.js';
import { resolveFrom } from '../shared/files/inspect-path.js';
import { changeByFlags } from '../config/flags.js';
import { resolveApps } from '../config/resolve/apps.js';
import { NodeclusterError } from '../errors/error.js';
import { readPackageJson } from '../shared/files/small-file.js';
import { fetchDescriptions } from './selectors.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { Context } from '../cli/context.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { FileTarget } from './selectors.js'
 */

/** @typedef {Pick<Context, 'command' | 'cwd' | 'stdin' | 'env' | 'withStdoutOnStderr'>} Place where the command was typed */

/**
 * @param {Place} place
 * @param {FileTarget} target
 * @param {object} options
 * @param {string} [options.env] the settings of `env_<name>` too
 * @param {string[]} [options.only] names of apps
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
  const [described, { apps: environments }] = await Promise.all([
    fetchDescriptions(client, selectors, { showSecrets: true }),
    client.request('env', { selectors, showSecrets: true }),
  ]);
  return described.map(({ name, spec }) => {
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
