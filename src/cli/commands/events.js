import { openEvents } from '../../api/streams.js';
import { selectorsFor } from '../../api/selectors.js';
import { NodeclusterError } from '../../errors/error.js';
import { paint, wrapText } from '../../show/terminal/palette.js';
import { eventText } from '../../show/event.js';
import { historyOf } from '../../show/history.js';
import { jsonOption, sinceOption, untilOption } from '../../show/command-options.js';
import { jsonLine } from '../../show/escape.js';
import { formatTime } from '../../show/quantity.js';

/**
 * @import { Event } from '../../protocol/shapes.js'
 * @import { CommandData, Run } from '../command.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show events of apps and workers as they happen',
  details:
    'To see why workers come and go, or to watch a deploy: shows each start, exit and reload from now ' +
    'on, until Ctrl-C; with --since what happened before.',
  arguments: [
    {
      name: '[apps...]',
      summary: 'only these apps; without arguments all apps, also those started later',
    },
  ],
  options: [
    {
      ...sinceOption,
      summary:
        'show what happened since then, and exit: 10m, 6h, 22:20 (local time); the daemon keeps 500 events; `logs --daemon` goes further back',
    },
    untilOption,
    {
      flags: '--follow',
      summary: 'with --since: go on with what happens from now on',
    },
    { flags: '--no-follow', summary: 'show all that the daemon keeps, and exit' },
    { ...jsonOption, summary: 'print each event as a JSON object' },
  ],
  examples: [
    'nodecluster events',
    'nodecluster events api --since 6h',
    'nodecluster events api --json | jq \'select(.type == "worker.exited")\'',
  ],
};

/** Of a worker's stop, of which the end is told. */
const STEPS = new Set(['worker.draining', 'worker.stopping']);

/** @type {Run} */
export async function run(context) {
  const { daemons, options, words, write, note, stdout } = context;
  const client = await daemons.open();
  if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
  const selectors = await selectorsFor(context, client, words);
  const { since, until, follow = since === undefined && until === undefined } = options;
  if (words.length > 0) await client.request('list', { selectors });
  const events = openEvents(daemons, selectors, {
    since,
    until,
    follow,
    onListening: () => note('Waiting for events; `--since 1h` shows earlier ones. Ctrl-C stops.'),
    onLost: () => note('Lost the daemon. Waiting for the next one.'),
  });
  const colours = paint(stdout);
  let hasShown = false;
  for await (const event of options.json ? events : shownOf(events, !follow)) {
    const head = `${colours.dim(formatTime(event.at))} `;
    const text = () => wrapText(eventText(event, colours), stdout.width, head);
    const line = options.json ? jsonLine(event) : text();
    hasShown = true;
    if (!(await write(`${line}\n`))) break;
  }
  if (!hasShown) note('No event was found.');
  return 0;
}

/** @param {AsyncIterable<Event>} events @param {boolean} isHistory whether they end */
async function* shownOf(events, isHistory) {
  /** @type {Event[]} */
  const past = [];
  for await (const event of events) {
    if (STEPS.has(event.type)) continue;
    if (isHistory) past.push(event);
    // It is told when it is online, or has failed.
    else if (event.type !== 'worker.starting') yield event;
  }
  yield* historyOf(past);
}
