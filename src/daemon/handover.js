/**
 * The daemon that takes over gets the sockets that the one before it holds for the primaries, before
 * that one leaves: a primary that is silent, or is killed meanwhile, cannot give them to it.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { acceptChannels, connectChannel } from '../protocol/handle-channel.js';
import { within } from '../shared/deadline.js';

/**
 * @import { HandleChannel } from '../protocol/handle-channel.js'
 * @import { Handle } from '../shared/inherited-socket.js'
 * @import { AppTable } from './apps/table.js'
 * @import { Log } from './log.js'
 */

/** @typedef {Map<string, Map<string, Handle>>} HandedSockets by the name of the app, and by the address that they listen on */

/** ms for the running daemon to give all of them; one that is frozen gives none. */
const GIVE_MS = 5000;

/**
 * @param {string} path
 * @param {AppTable} table
 * @param {Log} log
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function offerSockets(path, table, log) {
  try {
    const server = await acceptChannels(path, (channel) => give(channel, table));
    return async () => {
      server.close();
      await rm(path, { force: true }).catch(() => {});
    };
  } catch (error) {
    log.warn('handover.closed', { reason: /** @type {Error} */ (error).message });
    return async () => {};
  }
}

/** One after another, each when the one before has arrived. @param {HandleChannel} channel @param {AppTable} table */
function give(channel, table) {
  const rest = table
    .all()
    .flatMap(({ name: app, link }) =>
      link.heldSockets.entries().map(([name, handle]) => ({ app, name, handle })),
    );
  channel.on('message', () => {
    const next = rest.shift();
    if (next) channel.send({ app: next.app, name: next.name }, next.handle);
    else channel.send({});
  });
}

/**
 * @param {string} path
 * @returns {Promise<HandedSockets>} none if no daemon gives any
 */
export async function receiveSockets(path) {
  /** @type {HandedSockets} */
  const handed = new Map();
  try {
    const channel = await connectChannel(path, GIVE_MS);
    const isDone = once(channel, 'close');
    channel.on('message', ({ app, name }, handle) => {
      if (handle === null) return channel.close();
      const ofApp = handed.get(app) ?? new Map();
      handed.set(app, ofApp.set(name, handle));
      channel.send({});
    });
    channel.send({});
    await within(isDone, GIVE_MS);
    channel.close();
  } catch {
    // None listens there: it was killed, and its sockets are closed.
  }
  return handed;
}
