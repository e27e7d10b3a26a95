import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { fetchDescriptions, selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { paint, wrapText } from '../../show/terminal/palette.js';
import { renderNotes } from '../../show/terminal/notes.js';
import { describeTurning } from './command-turning.js';
import { renderStacks } from './show.js';
import { jsonText } from '../../show/escape.js';
import { formatCount } from '../../show/quantity.js';
import { hasProblem, isTroubled, rowsOfWorkers } from '../../show/rows.js';
import { isCrashing } from '../../show/state.js';

/**
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { AppStacks } from './record.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show which functions block workers, and which servers they may wait for',
  details:
    'Names the function and the line that block a worker, without a restart: it opens the inspector ' +
    'of that worker for a moment, on loopback. Of one that replies, it names the servers that it is ' +
    'connected to. What else is wrong is said as in `ls`, of all apps without arguments. The exit ' +
    'code is 5 if the state of a worker is not known, or none runs. One that crashes again and ' +
    'again does not.',
  arguments: [{ ...appsArgument, name: '[apps...]' }],
  options: [jsonOption],
  examples: ['nodecluster why', 'nodecluster why api', 'nodecluster why api:1 --json'],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, words, options, print, stdout } = context;
  const client = await context.openForApps();
  const selectors = words.length === 0 ? ['all'] : await selectorsFor(context, client, words);
  const { apps } = await client.request('why', { selectors });
  const all = await fetchDescriptions(client, ['all'], { fields: ['usage'] });
  if (all.length === 0) throw new NodeclusterError('E_NO_APPS', { home: daemons.home });
  if (options.json) print(jsonText({ apps }));
  else {
    const lines = reasonsOf(apps, all, stdout, words.length === 0);
    print(wrapText(lines.join('\n'), stdout.width));
  }
  return exitCodeOf(apps, all);
}

/** @param {AppStacks[]} stacks @param {App[]} apps @returns {number} the same in each phase of a crash loop */
export function exitCodeOf(stacks, apps) {
  const running = runningOf(stacks, apps);
  const isKnown = running.length > 0 && running.every(({ state }) => state !== 'unknown');
  return isKnown ? exitCodes.ok : exitCodes.appFailed;
}

/** @param {AppStacks[]} stacks @param {App[]} apps @returns {AppStacks['workers']} without those that crash, in each phase */
function runningOf(stacks, apps) {
  const crashing = apps.flatMap(({ workers }) => workers.filter(isCrashing));
  return stacks
    .flatMap(({ workers }) => workers)
    .filter(({ id, pid }) => pid !== null && !crashing.some((worker) => worker.id === id));
}

/** @param {AppStacks[]} stacks @param {App[]} all @param {Terminal} terminal @param {boolean} onlyTroubled */
function reasonsOf(stacks, all, terminal, onlyTroubled) {
  const now = Date.now();
  const ill = all.filter((app) => isTroubled(app, now)).map(({ name }) => name);
  const isFine = (/** @type {AppStacks} */ stack) =>
    !ill.includes(stack.name) && runningOf([stack], all).every(({ state }) => state === 'running');
  const told = onlyTroubled
    ? stacks.filter((stack) => !isFine(stack)).map((stack) => onlyTroubledOf(stack, all, now))
    : stacks;
  const heads = new Map(
    describeTurning(told, all, now).map((app) => [app.name, renderStacks([app], paint(terminal))]),
  );
  const apps = all.filter(({ name }) => heads.has(name));
  const fine = stacks.length - told.length;
  return [
    ...renderNotes(apps, terminal, { now, heads }),
    ...(fine > 0 ? [`${formatCount(fine, 'app')}: no problem`] : []),
  ];
}

/** All, if what is wrong is not in one worker. @param {AppStacks} stacks of an app in trouble @param {App[]} all @param {number} now */
function onlyTroubledOf({ name, workers }, all, now) {
  const rows = all.flatMap((app) => rowsOfWorkers(app, now));
  const ill = rows.filter((row) => hasProblem(row, now)).map(({ key }) => key);
  const told = workers.filter(
    ({ slot, state }) => state !== 'running' || ill.includes(`${name}:${slot}`),
  );
  return { name, workers: told.length > 0 ? told : workers };
}
