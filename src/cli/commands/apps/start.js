import { resolve } from 'node:path';
import {
  explainUnknown,
  isProgram,
  neitherFileNorApp,
  readDirectory,
} from '../../../api/start-target.js';
import { inspectPath } from '../../../config/file/inspect-path.js';
import { flagsToEntries, fromFlags } from '../../../config/flags.js';
import { fileName } from '../../../config/resolve/default-name.js';
import { NodeclusterError } from '../../../errors/error.js';
import { applyFile } from '../../actions/apply-file.js';
import { conclude, request } from '../../actions/request.js';
import { assertNoSettings } from '../../actions/settings/given-setting.js';
import { showWarnings } from '../../actions/specs.js';
import { startSpecs } from '../../actions/start-specs.js';
import { readTarget } from '../../actions/targets.js';
import { fileOptions, jsonOption, updateEnvOption } from '../../options.js';
import { maskLine } from '../../render/mask.js';
import { settingOptions } from '../../setting-options.js';

/**
 * @import { Place } from '../../../api/start-target.js'
 * @import { DaemonClient } from '../../../protocol/methods.js'
 * @import { Spec } from '../../../config/spec.js'
 * @import { Context } from '../../context.js'
 * @import { CommandData, Run } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'start programs, an ecosystem file, or stopped apps',
  details:
    'Without arguments it starts the ecosystem file in this directory. Arguments after -- go to ' +
    'the program. A name, worker id or other selector starts stopped apps again.',
  arguments: [
    {
      name: '[targets...]',
      summary:
        'a program, a command line in quotes, a directory, an ecosystem file (- for stdin), or names ' +
        'of stopped apps',
    },
  ],
  options: [...settingOptions(), ...fileOptions, updateEnvOption, jsonOption],
  examples: [
    'nodecluster start app.js -i max',
    'nodecluster start app.js --name api -- --port 3000',
    'nodecluster start "npm start" --name web',
    'nodecluster start .',
    'nodecluster start worker.py --set-env QUEUE=mail',
    'nodecluster start ecosystem.yml --only api --env production',
    'nodecluster start api',
  ],
};

/** @type {Run} */
export async function run(context) {
  const found = readDirectory(context.words, context);
  if (found !== null && 'program' in found) return startPrograms(context, [found.program]);
  const target = found ? { kind: /** @type {const} */ ('file'), ...found } : readTarget(context);
  if (target.kind !== 'selectors') return applyFile(context, target, { action: 'start' });
  const { selectors } = target;
  const settings = givenSettings(context);
  const namesProgram = selectors.some((word) => isProgram(word, placeOf(context), settings));
  if (!namesProgram) return startStopped(context, selectors);
  const programs = selectors.map((script) => ({ script, args: [] }));
  return startPrograms(context, programs);
}

/** @param {Context} context @returns {Place} */
function placeOf({ cwd, env }) {
  return { cwd, searchPath: env.PATH ?? '' };
}

/** @param {Context} context */
function givenSettings({ options, programArgs }) {
  const flags = flagsToEntries(options);
  return programArgs.length > 0 ? { ...flags, args: programArgs } : flags;
}

/**
 * @param {Context} context
 * @param {{script: string, args: string[], cwd?: string}[]} programs
 * @throws {NodeclusterError} E_FLAG_INVALID, E_USAGE
 */
async function startPrograms(context, programs) {
  const { options, programArgs, cwd, env } = context;
  const flags = flagsToEntries(options);
  const scripts = programs.map(({ script }) => script);
  if (flags.watch) assertNoWatchPath(scripts, cwd);
  if (scripts.length > 1 && flags.name !== undefined) {
    const detail = `--name can name only one app, but ${scripts.length} programs were given`;
    throw new NodeclusterError('E_USAGE', { detail, command: 'start' });
  }
  const specs = programs.map(({ script, args, ...place }) => {
    const { spec, warnings } = fromFlags({
      script,
      args: [...args, ...programArgs],
      flags: { ...place, ...flags },
      cwd,
      shellEnv: env,
    });
    showWarnings(context, warnings);
    return spec;
  });
  return startSpecs(context, withOwnNames(specs));
}

/**
 * Programs that would all have the name of their package get those of their files.
 * @param {Spec[]} specs
 */
function withOwnNames(specs) {
  return specs.map((spec) => {
    const hasTwin = specs.some((other) => other !== spec && other.name === spec.name);
    return hasTwin ? { ...spec, name: fileName(spec.script) ?? spec.name } : spec;
  });
}

/**
 * Rejects `start app.js --watch src`, which looks as if it watched src.
 * @param {string[]} words
 * @param {string} cwd
 * @throws {NodeclusterError} E_USAGE
 */
function assertNoWatchPath(words, cwd) {
  const path = words.find(
    (word) => word.includes('*') || inspectPath(resolve(cwd, word)).kind === 'directory',
  );
  if (path === undefined) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `--watch takes no path, and ${path} is not a program`,
    advice: `--watch watches the working directory. To watch a path, set \`watch: [${path}]\` in an ecosystem file.`,
  });
}

/** @param {Context} context @param {string[]} selectors */
async function startStopped(context, selectors) {
  const client = await context.daemons.open();
  const place = placeOf(context);
  if (!client) throw neitherFileNorApp({ selector: selectors[0] }, selectors, place);
  assertNoSettings(context, `${selectors[0]} is not a file here, so it must be an existing app`);
  const updateEnv = context.options.updateEnv ? { ...context.env } : null;
  try {
    const result = await request(context, client, 'resume', { selectors, updateEnv });
    if (String(selectors) === 'all') await noteStopped(context, client, result);
    return await conclude(context, client, result);
  } catch (error) {
    throw explainUnknown(error, selectors, place);
  }
}

/**
 * After `kill`, `all` is what ran before it.
 * @param {Context} context
 * @param {DaemonClient} client
 * @param {{apps: {name: string}[]}} result
 */
async function noteStopped({ note }, client, result) {
  const started = new Set(result.apps.map(({ name }) => name));
  const { apps } = await client.request('list', {});
  const names = apps.map(({ name }) => maskLine(name)).filter((name) => !started.has(name));
  if (names.length === 0) return;
  const verb = names.length === 1 ? 'stays' : 'stay';
  const again = `\`nodecluster start ${names.join(' ')}\``;
  note(`${names.join(', ')} ${verb} stopped, as before \`kill\`. To start: ${again}.`);
}
