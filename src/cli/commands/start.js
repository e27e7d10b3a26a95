import { recordedApps } from '../../api/recorded-apps.js';
import { homePaths } from '../../shared/home.js';
import { isProgram, programInstead, readDirectory } from '../../api/start-target.js';
import { settingOptions } from '../../config/flags.js';
import { NodeclusterError } from '../../errors/error.js';
import { applyFile, environmentOf, startSpecs, changeSettings } from '../actions/apply-file.js';
import { conclude } from '../actions/request.js';
import { givenSettings, programSpecs } from '../actions/specs.js';
import { readTarget } from '../../api/selectors.js';
import { fileOptions, jsonOption, updateEnvOption } from '../../show/command-options.js';
import { escapeLine } from '../../show/escape.js';
import { namesText } from '../../show/quantity.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Context } from '../context.js'
 * @import { CommandData, CommandOption, Run } from '../command.js'
 */

/** @type {CommandOption} */
const forceOption = {
  flags: '-f, --force',
  summary: 'if the app of the program runs, start a second copy under the next free name',
  isRare: true,
};

/** @type {CommandData} */
export const command = {
  summary: 'start programs, an ecosystem file, or stopped apps',
  details:
    'Without arguments it starts the ecosystem file in this directory. Arguments after -- go to ' +
    'the program. A name, worker id or other selector starts stopped apps again, and ' +
    'options change their settings.',
  arguments: [
    {
      name: '[targets...]',
      summary:
        'a program, a command line in quotes, a directory, an ecosystem file (- for stdin), or names ' +
        'of stopped apps',
    },
  ],
  options: [...settingOptions(), ...fileOptions, forceOption, updateEnvOption, jsonOption],
  examples: [
    'nodecluster start app.js -i max',
    'nodecluster start app.js --name api -- --port 3000',
    'nodecluster start "npm start" --name web',
    'nodecluster start .',
    'nodecluster start server.py --set-env PORT=8080',
    'nodecluster start ecosystem.yml --only api --env production',
    'nodecluster start api',
  ],
};

/** @type {Run} */
export async function run(context) {
  const target = readDirectory(context.words, context) ?? readTarget(context);
  if (target.kind === 'program') {
    return startSpecs(context, programSpecs(context, [target.program]));
  }
  if (target.kind !== 'selectors') {
    noteForce(context);
    return applyFile(context, target, { action: 'start' });
  }
  const { selectors } = target;
  const settings = givenSettings(context);
  const isApp = (/** @type {string} */ word) =>
    recordedApps(homePaths(context.daemons.home)).some(({ name }) => name === word);
  if (!selectors.some((word) => isProgram(word, context, settings, isApp))) {
    try {
      return await startStopped(context, selectors);
    } catch (error) {
      return startInstead(context, programInstead(error, selectors, context));
    }
  }
  const programs = selectors.map((script) => ({ script, args: [] }));
  return startSpecs(context, programSpecs(context, programs));
}

/** @param {Context} context @param {ReturnType<typeof programInstead>} found */
function startInstead(context, found) {
  if (found.kind === 'file') return applyFile(context, found, { action: 'start' });
  const { program, command } = found;
  if (command) context.note(`${program.script}: no file here, runs ${command}`);
  return startSpecs(context, programSpecs(context, [program]));
}

/** @param {Context} context that starts no program */
function noteForce({ options, note }) {
  if (options.force) note('--force has no effect: only a program that runs gets a second copy.');
}

/** @param {Context} context @param {string[]} selectors */
async function startStopped(context, selectors) {
  const client = await context.daemons.open();
  if (!client) throw new NodeclusterError('E_APP_UNKNOWN', { selector: selectors[0], known: [] });
  noteForce(context);
  if (Object.keys(givenSettings(context)).length > 0)
    return changeSettings(context, selectors, { action: 'apply' });
  const order = { selectors, ...environmentOf(context) };
  const result = await context.request(client, 'resume', order);
  if (String(selectors) === 'all') await noteStopped(context, client, result);
  return conclude(context, result);
}

/** @param {Context} context @param {DaemonClient} client @param {{apps: {name: string}[]}} result */
async function noteStopped({ note }, client, result) {
  // After `kill`, `all` is what ran before it.
  const started = new Set(result.apps.map(({ name }) => name));
  const { apps } = await client.request('list', {});
  const names = apps.map(({ name }) => escapeLine(name)).filter((name) => !started.has(name));
  if (names.length === 0) return;
  const verb = names.length === 1 ? 'stays' : 'stay';
  const again = `\`nodecluster start ${names.join(' ')}\``;
  note(`${namesText(names)} ${verb} stopped, as before \`kill\`. To start: ${again}.`);
}
