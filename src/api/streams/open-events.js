/** Fills a stream with the events of a daemon. */
import { EventStream } from './event-stream.js';

/** @import { DaemonClient } from '../../protocol/methods.js' */

/**
 * @param {Promise<DaemonClient>} connecting a connection of its own, so that the daemon notices when
 *   the program leaves the loop
 * @param {string[]} selectors none: all apps
 * @param {() => void} onEnd called once
 * @returns {{stream: EventStream, opened: Promise<void>}} opened: the daemon sends every event from
 *   now on, or the stream has ended
 */
export function openEvents(connecting, selectors, onEnd) {
  let isEnded = false;
  const stream = new EventStream(() => {
    isEnded = true;
    connecting.then((client) => client.close()).catch(() => {});
    onEnd();
  });
  const opened = connecting
    .then((client) => (isEnded ? undefined : subscribe(client, selectors, stream)))
    .catch((error) => stream.end(error));
  return { stream, opened };
}

/**
 * @param {DaemonClient} client
 * @param {string[]} selectors
 * @param {EventStream} stream
 * @returns {Promise<void>} resolves when the stream is subscribed or has ended
 */
function subscribe(client, selectors, stream) {
  return new Promise((resolve) => {
    const ended = client.request(
      'events',
      { selectors },
      {
        onNotification: (kind, payload) => {
          if (kind === 'event') stream.push(payload);
          else resolve();
        },
      },
    );
    ended.catch((error) => stream.end(error)).finally(resolve);
  });
}
