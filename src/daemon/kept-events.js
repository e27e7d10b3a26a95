/** The latest events on disk, from a daemon that ends to the next one. */
import { rmSync } from 'node:fs';
import { attempt } from '../errors/error.js';
import { MAX_EVENTS } from '../lifecycle/recent-events.js';
import { number, numberOf, object, optional, string } from '../shared/checks.js';
import { removeUnfinished, writeFileAtomic } from '../shared/files/atomic-file.js';
import { readSmallFile } from '../shared/files/small-file.js';

/**
 * @import { Event } from '../protocol/shapes.js'
 * @import { KeptEvent } from './events.js'
 * @import { Log } from './log.js'
 */

/** With the last lines of a dead worker an event may take some kilobytes. */
const MAX_BYTES = 16 * 1024 * 1024;

const checkEvent = object({
  type: string,
  at: numberOf({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  app: string,
  namespace: string,
  slot: optional(number),
});

/**
 * Of a daemon that was killed there are none, and the primaries send theirs again.
 * @param {string} file is removed
 * @returns {KeptEvent[]} those that are valid
 */
export function takeEvents(file) {
  removeUnfinished(file);
  const events = attempt(() => JSON.parse(readSmallFile(file, MAX_BYTES)), []);
  attempt(() => rmSync(file, { force: true }), null);
  if (!Array.isArray(events)) return [];
  return events.filter((event) => checkEvent(event) === null).slice(-MAX_EVENTS);
}

/** A full disk does not prevent the end. @param {string} file @param {readonly Event[]} events @param {Log} log */
export async function leaveEvents(file, events, log) {
  await writeFileAtomic(file, JSON.stringify(events)).catch(({ message: reason }) => {
    log.warn('events.lost', { reason });
  });
}
