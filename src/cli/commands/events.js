import { EventBuffer } from '../../api/streams.js';
import { selectorsFor } from '../../api/selectors.js';
import { NodeclusterError } from '../../errors/error.js';
import { stayConnected, subscribe } from '../../api/feed.js';
import { includesEvent } from '../../lifecycle/recent-events.js';
import { paint, wrapText } from '../../show/terminal/palette.js';
import { parseEventTypes, renderEvent } from '../../show/event.js';
import { jsonOption, sinceOption, untilOption } from '../../show/command-options.js';
import { jsonLine } from '../../show/escape.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Event } from '../../protocol/shapes.js'
 * @import { Context } from '../context.js'
 * @import { CommandData, Run } from '../command.js'
 */

/** How long to wait for the next daemon: the primaries start it within seconds. */
const nextDaemonTimeoutMs = 30_000;
const WAITING = 'Waiting for events. Press Ctrl-C to stop.';

/** @type {CommandData} */
export const command = {
  summary: 'show events of apps and workers as they happen',
  details:
    'When workers come and go and you want to know why, or to watch a deploy: shows every start, ' +
    'exit, restart and reload from now on, a line for each; with --since or --no-follow also ' +
    'what happened before. Press Ctrl-C to stop.',
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
        'begin with what happened since then: 10m, 6h, 22:20 (local time); the daemon keeps 500 events, also across `update`; `logs --daemon` goes further back',
    },
    untilOption,
    {
      flags: '--type <types>',
      summary:
        'only these: commands (their outcomes), problems, worker.exited, reload.*; several: a,b',
      parse: parseEventTypes,
    },
    {
      flags: '--no-follow',
      summary: 'exit after what has happened; without --since, all that the daemon keeps',
    },
    { ...jsonOption, summary: 'print each event as a JSON object' },
  ],
  examples: [
    'nodecluster events',
    'nodecluster events --since 10m',
    'nodecluster events --no-follow --type problems',
    'nodecluster events api --since 6h --no-follow --type commands,worker.exited',
    'nodecluster events api --json | jq \'select(.type == "worker.exited")\'',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, write, note, stdout } = context;
  const lineOf = (/** @type {Event} */ event) => {
    const [time, text] = renderEvent(event, paint(stdout));
    return wrapText(text, stdout.width, `${time} `);
  };
  let hasShown = false;
  const ending = new AbortController();
  const events = new EventBuffer();
  followEvents(context, events, ending.signal).catch((error) => events.end(error));
  try {
    for await (const event of events) {
      if (options.type && !options.type(event)) continue;
      const line = options.json ? jsonLine(event) : lineOf(event);
      hasShown = true;
      if (!(await write(`${line}\n`))) break;
    }
    if (!hasShown) note('No event was found.');
  } finally {
    ending.abort();
    daemons.close();
  }
  return 0;
}

/** @param {Context} context @param {EventBuffer} events @param {AbortSignal} signal */
async function followEvents(context, events, signal) {
  const { daemons, options, words, note } = context;
  const first = await daemons.open();
  if (!first) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
  const selectors = await selectorsFor(context, first, words);
  const { until, follow = until === undefined } = options;
  let { since = follow ? undefined : 0 } = options;
  /** Of the last millisecond: the next daemon sends them again. @type {Event[]} */
  let latest = [];
  const add = (/** @type {Event} */ event) => {
    if (event.at > (until ?? Infinity) || includesEvent(latest, event)) return;
    latest = [...latest.filter(({ at }) => at >= event.at), event];
    since = Math.max(since ?? 0, event.at);
    events.add(event);
  };
  const onListening = () => {
    if (!follow) events.end();
    else if (since === options.since) note(WAITING);
  };
  const use = (/** @type {DaemonClient} */ client) =>
    subscribe(client, { selectors, since }, { add }, onListening);
  const onLost = () => {
    note('Lost the daemon. Waiting for the next one.');
    since ??= Date.now();
  };
  await stayConnected(daemons, use, { signal, onLost, timeoutMs: nextDaemonTimeoutMs });
}
