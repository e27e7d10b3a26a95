/** The sockets of a primary that runs as another user, received by a process of their own. */
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NOT_SOCKETS } from '../../protocol/socket-set.js';
import { ownNode } from '../../shared/processes/launch.js';
import { publicPathOf } from './public-copies.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { UserDirectory } from '../../shared/home.js'
 */

/** These say nothing about what the primary sent; Node aborts with others. */
const KILLING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'];
/** Executed as root, so never from a home that another user may have replaced. */
const RECEIVER = fileURLToPath(new URL('receive-sockets.js', import.meta.url));

/**
 * @param {UserDirectory} directory of the primary
 * @param {string} handover its socket there
 * @returns {Promise<ReceivedSockets>} when it is connected
 * @throws {Error}
 */
export async function receiveSockets({ uid, dir }, handover) {
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
  return new ReceivedSockets(child);
}

/** A HandleChannel to the primary. It emits 'failed', with the reason, if it ends by itself. */
class ReceivedSockets extends EventEmitter {
  #child;

  /** @param {ChildProcess} child */
  constructor(child) {
    super();
    this.#child = child;
    child.on('error', () => {});
    child.once('exit', (code, signal) => code === 0 || this.emit('failed', reasonOf(signal)));
    // Later, since the first message may arrive before anybody listens here.
    child.on('message', (message, handle) =>
      setImmediate(() => this.emit('message', message, handle ?? null)),
    );
  }

  /** @param {object} message */
  send(message) {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  close() {
    this.#child.kill('SIGKILL');
  }
}

/** @param {NodeJS.Signals | null} signal that ended the process */
function reasonOf(signal) {
  const isKilled = signal !== null && KILLING_SIGNALS.includes(signal);
  return isKilled ? `${signal} ended the process that receives them` : NOT_SOCKETS;
}
