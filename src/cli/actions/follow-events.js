/** Events from the daemon, and from the next one when it is replaced. */
import { setTimeout as pause } from 'node:timers/promises';
import { EventStream } from '../../api/event-stream.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Context } from '../context.js'
 * @import { Event } from '../render/event.js'
 */

/** How long a home may be without a daemon: the primaries start the next one within seconds. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 200;
/** What a daemon that has just gone leaves behind. */
const ABSENT = new Set(['E_PROTOCOL_CLOSED', 'E_PROTOCOL_UNREACHABLE', 'E_DAEMON_ENDING']);

/**
 * @param {Context} context whose words are selectors
 * @param {(event: Event) => Promise<boolean>} tell resolves when it was told, to false when nobody
 *   listens any more. While it is slow events wait, and beyond some they are missed
 * @returns {Promise<number>} the exit code, when nobody listens any more
 * @throws {NodeclusterError} E_DAEMON_NOT_RUNNING when there is none any more, E_APP_UNKNOWN
 */
export async function followEvents(context, tell) {
  const ending = new AbortController();
  const events = new EventStream(() => {
    ending.abort();
    context.daemons.close();
  });
  follow(context, events, ending.signal).catch((error) => events.end(error));
  for await (const event of events) {
    if (!(await tell(event))) break;
  }
  return 0;
}

/**
 * @param {Context} context
 * @param {EventStream} events
 * @param {AbortSignal} signal
 */
async function follow({ daemons, words: selectors, note }, events, signal) {
  let client = await daemons.open();
  /** @type {number | undefined} */
  let since;
  const onNotification = (/** @type {string} */ kind, /** @type {any} */ event) => {
    if (kind !== 'event') return;
    since = Math.max(since ?? 0, event.at);
    events.push(event);
  };
  for (;;) {
    if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
    await client.request('events', { selectors, since }, { onNotification }).catch((error) => {
      if (!ABSENT.has(NodeclusterError.from(error).code)) throw error;
    });
    if (signal.aborted) return;
    note('The daemon is gone. Waiting for the next one.');
    since ??= Date.now();
    client = await nextDaemon(daemons);
  }
}

/**
 * It is the primaries that start another: one that was ended on purpose stays so.
 * @param {Context['daemons']} daemons
 */
async function nextDaemon(daemons) {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const client = await daemons.find().catch(() => null);
    if (client) return client;
    await pause(RETRY_MS);
  }
  return null;
}
