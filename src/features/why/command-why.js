import { exitCodes } from '../../errors/exit-codes.js';
import { selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { paint } from '../../show/terminal/palette.js';
import { renderNotes } from '../../show/terminal/notes.js';
import { renderStacks } from './show.js';
import { escapeLine, jsonText } from '../../show/escape.js';
import { isTroubled } from '../../show/problems.js';
import { hasProblem, rowsOfWorkers } from '../../show/rows.js';
import { stateText } from '../../show/state.js';

/**
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { AppStacks } from './record.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show where blocked workers are: the functions that their event loops are in',
  details:
    'When a worker is unresponsive, or uses a whole core and answers nothing: prints the function ' +
    'and the line that block it, without a restart. It opens the inspector of that worker for a ' +
    'moment, on loopback. A worker that replies is left alone: the servers that it is connected to are ' +
    'named. Of what is not blocked, it says what is wrong, as `ls` does. Without arguments, it looks at all apps, and counts those that have no problem. The exit code is 5 if the state of a worker is not known, or none runs.',
  arguments: [{ ...appsArgument, name: '[apps...]' }],
  options: [jsonOption],
  examples: ['nodecluster why', 'nodecluster why api', 'nodecluster why api:1 --json'],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, print, stdout } = context;
  const client = await context.openForApps();
  const selectors = words.length === 0 ? ['all'] : await selectorsFor(context, client, words);
  const { apps } = await client.request('why', { selectors });
  if (options.json) print(jsonText({ apps }));
  else {
    const listed = await client.request('list', { selectors, fields: ['usage'] });
    print(reasonsOf(apps, listed.apps, stdout, words.length === 0).join('\n'));
  }
  const running = apps.flatMap(({ workers }) => workers).filter(({ pid }) => pid !== null);
  const isKnown = running.length > 0 && running.every(({ state }) => state !== 'unknown');
  return isKnown ? exitCodes.ok : exitCodes.appFailed;
}

/**
 * @param {AppStacks[]} stacks
 * @param {App[]} apps the same
 * @param {Terminal} terminal
 * @param {boolean} onlyTroubled
 * @returns {string[]} where workers are, and what `ls` says of apps in which no event loop is blocked
 */
function reasonsOf(stacks, apps, terminal, onlyTroubled) {
  const now = Date.now();
  const areBlocked = stacks.filter(({ workers }) =>
    workers.some(({ pid, state }) => pid !== null && state !== 'running'),
  );
  const others = apps.filter(({ name }) => !areBlocked.some((blocked) => blocked.name === name));
  const healthy = onlyTroubled ? others.filter((app) => !isTroubled(app, now)) : [];
  const shown = stacks.filter(({ name }) => !healthy.some((app) => app.name === name));
  const states = others
    .flatMap((app) => rowsOfWorkers(app, now))
    .filter((row) => row.worker?.status === 'online' && hasProblem(row, now))
    .map((row) => `${escapeLine(`${row.app.name}:${row.worker?.slot}`)} ${stateText(row, now)}`);
  const notes = renderNotes(others, terminal, now);
  return [
    ...(shown.length > 0 ? [renderStacks(shown, paint(terminal))] : []),
    ...states,
    ...notes.filter((line) => !line.includes('`nodecluster why ')),
    ...healthyLine(healthy.length, shown.length > 0),
  ];
}

/** @param {number} count @param {boolean} areOthers not healthy */
function healthyLine(count, areOthers) {
  if (count === 0) return [];
  const apps = `${count} ${areOthers ? 'other ' : ''}app${count === 1 ? '' : 's'}`;
  return [`${apps}: no problem`];
}
