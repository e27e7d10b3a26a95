import { exitCodes } from '../../errors/exit-codes.js';
import { selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { paint } from '../../show/terminal/palette.js';
import { renderNotes } from '../../show/terminal/notes.js';
import { renderStacks } from './show.js';
import { escapeLine, jsonText } from '../../show/escape.js';
import { hasProblem, rowsOfWorkers } from '../../show/rows.js';
import { stateText } from '../../show/state.js';

/**
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { DaemonClient } from '../../protocol/methods.js'
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
    'named. Of what is not blocked, it says what is wrong, as `ls` does. The exit code is 5 if the state of a worker is not known, or none runs.',
  arguments: [appsArgument],
  options: [jsonOption],
  examples: ['nodecluster why api', 'nodecluster why api:1 --json'],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, print, stdout } = context;
  const client = await context.openForApps();
  const selectors = await selectorsFor(context, client, words);
  const { apps } = await client.request('why', { selectors });
  if (options.json) print(jsonText({ apps }));
  else
    print(
      [renderStacks(apps, paint(stdout)), ...(await otherReasons(client, apps, stdout))].join('\n'),
    );
  const running = apps.flatMap(({ workers }) => workers).filter(({ pid }) => pid !== null);
  const isKnown = running.length > 0 && running.every(({ state }) => state !== 'unknown');
  return isKnown ? exitCodes.ok : exitCodes.appFailed;
}

/**
 * @param {DaemonClient} client
 * @param {AppStacks[]} stacks
 * @param {Terminal} terminal
 * @returns {Promise<string[]>} what `ls` says below its table of apps in which no event loop is blocked
 */
async function otherReasons(client, stacks, terminal) {
  const others = stacks.filter(({ workers }) =>
    workers.every(({ pid, state }) => pid === null || state === 'running'),
  );
  if (others.length === 0) return [];
  const selectors = others.map(({ name }) => name);
  const { apps } = await client.request('list', { selectors, fields: ['usage'] });
  const now = Date.now();
  const states = apps
    .flatMap((app) => rowsOfWorkers(app, now))
    .filter((row) => row.worker?.status === 'online' && hasProblem(row, now))
    .map((row) => `${escapeLine(`${row.app.name}:${row.worker?.slot}`)} ${stateText(row, now)}`);
  const notes = renderNotes(apps, terminal, now);
  return [...states, ...notes.filter((line) => !line.includes('`nodecluster why '))];
}
