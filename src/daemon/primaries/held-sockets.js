/** The sockets that primaries listen on: the daemon keeps them open too, and never accepts from them. */
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectChannel } from '../../protocol/handle-channel.js';
import { NOT_SOCKETS, SocketSet, holdFrom } from '../../protocol/socket-set.js';
import { ownNode } from '../../shared/processes/launch.js';
import { publicPathOf } from '../users/user-primary.js';

/**
 * @import { Channel } from '../../protocol/socket-set.js'
 * @import { PrimaryPaths, UserDirectory } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 * @import { Log } from '../log.js'
 * @import { PrimaryLink } from './link.js'
 * @import { Handle, InheritedSocket } from '../../shared/inherited-socket.js'
 */

const CONNECT_MS = 5000;

/** Of one app. @extends {SocketSet<Handle>} by address; the next daemon gets its entries */
export class HeldSockets extends SocketSet {
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @returns {InheritedSocket[]} for the next primary */
  get all() {
    return this.entries().map(([name, handle]) => ({ name, fd: handle.fd, handle }));
  }

  /** Call this when the primary has exited: clients must not wait forever for the next. @param {number} timeoutMs */
  expire(timeoutMs) {
    this.#timer ??= setTimeout(() => this.releaseAll(), timeoutMs);
  }

  /** Call this when a primary is connected again. */
  cancelExpiry() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Call this when no primary will follow. */
  releaseAll() {
    this.cancelExpiry();
    this.close();
  }
}

/**
 * Holds the sockets of a primary, which is not trusted, now and as they come and go.
 * @param {{paths: PrimaryPaths, record: PrimaryRecord}} primary
 * @param {ReadonlyMap<string, PrimaryLink>} links of its apps
 * @param {() => boolean} isCurrent whether it still is that connection to it
 * @param {Log} log
 * @returns {Promise<Channel | null>} through which they come; null: none do
 */
export async function holdSocketsOf({ paths, record }, links, isCurrent, log) {
  const close = () => {
    for (const { isHosted, heldSockets } of links.values()) if (isHosted) heldSockets.close();
  };
  const fail = (/** @type {string} */ reason) => {
    if (!isCurrent()) return;
    close();
    // They run without this protection.
    for (const app of links.keys())
      log.warn('primary.sockets-not-held', { app, primary: record.pid, reason });
  };
  // What another user sends is about the only app of that primary.
  const [only] = links.values();
  const linkOf = (/** @type {unknown} */ app) =>
    record.uid === undefined ? links.get(String(app)) : only;
  try {
    const { handover, user } = paths;
    const channel = await (user
      ? receiveSockets(user, handover)
      : connectChannel(handover, CONNECT_MS));
    if (isCurrent()) {
      close();
      holdFrom(channel, (app) => linkOf(app)?.heldSockets, fail);
      return channel;
    }
    channel.close();
  } catch (error) {
    fail(/** @type {Error} */ (error).message);
  }
  return null;
}

/** These say nothing about what the primary sent; Node aborts with others. */
const KILLING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'];
/** Executed as root, so never from a home that another user may have replaced. */
const RECEIVER = fileURLToPath(new URL('../users/receive-sockets.js', import.meta.url));

/**
 * The sockets of a primary that runs as another user, received by a process of their own.
 * @param {UserDirectory} directory of the primary @param {string} handover its socket there
 */
async function receiveSockets({ uid, dir }, handover) {
  const { gid } = lstatSync(dir);
  const child = fork(publicPathOf(RECEIVER), [path.basename(handover), String(uid), String(gid)], {
    cwd: dir,
    env: {},
    execArgv: [],
    execPath: ownNode(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Ctrl-C in the terminal of `run` is not for it; it ends with the daemon.
    detached: true,
  });
  child.unref();
  child.channel?.unref();
  const isConnected = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'exit').then(() => false),
  ]);
  if (!isConnected) throw new Error('the process that receives them could not connect');
  const channel = Object.assign(new EventEmitter(), {
    send: (/** @type {object} */ message) => child.connected && child.send(message, () => {}),
    close: () => child.kill('SIGKILL'),
  });
  child.on('error', () => {});
  child.once('exit', (code, signal) => {
    const isKilled = signal !== null && KILLING_SIGNALS.includes(signal);
    const reason = isKilled ? `${signal} ended the process that receives them` : NOT_SOCKETS;
    if (code !== 0) channel.emit('failed', reason);
  });
  // Later, since the first message may arrive before anybody listens here.
  child.on('message', (message, handle) =>
    setImmediate(() => channel.emit('message', message, handle ?? null)),
  );
  return channel;
}
