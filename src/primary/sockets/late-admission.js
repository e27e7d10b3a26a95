/**
 * Keeps connections from a worker that has to wait for them, though it listens.
 *
 * Round-robin: the first connection that node:cluster sends it goes to another worker, and is left
 * without an acknowledgement, so that node:cluster takes this one for busy and sends it no more.
 * Shared: its agent is told, with the socket, to accept later. The same on Node 20, 22, 24 and 26;
 * where messages are not as expected, nobody waits.
 */
import { letServe } from '../worker/agent-link.js';
import { socketOf } from './listening-socket.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { TcpHandle } from './listening-socket.js'
 * @import { ListeningSockets } from './listening-sockets.js'
 */

/**
 * @param {ChildProcess} child
 * @param {ListeningSockets} sockets
 * @param {boolean} replaces another worker; others get connections as soon as they listen
 */
export function admitLate(child, sockets, replaces) {
  const kept = new KeptBack(child);
  const onServed = (/** @type {string} */ key) => {
    kept.release(key);
    letServe(child, key);
  };
  const member = sockets.admission.join({ who: child, isAdmitted: !replaces, onServed });
  const { send } = child;
  child.send = /** @type {ChildProcess['send']} */ (
    (/** @type {any} */ message, /** @type {any} */ handle, /** @type {any[]} */ ...rest) => {
      const key = keyOf(message);
      if (key === null) return Reflect.apply(send, child, [message, handle, ...rest]);
      const isConnection = message.act === 'newconn';
      if (isSocketFor(message)) {
        member.listens(key);
        // The program may look for its file as soon as it is told that it listens.
        sockets.unixPaths.restore();
      }
      const waits = handle && (!isConnection || socketOf(handle)) && member.mustWait(key);
      if (waits && isConnection) return kept.keep(key, message.seq, handle);
      const sent = waits ? { ...message, acceptsLater: true } : message;
      return Reflect.apply(send, child, [sent, handle, ...rest]);
    }
  );
  child.on('internalMessage', (message) => {
    const key = keyOf(message);
    if (key !== null && message.act === 'close') member.closed(key);
  });
  child.once('exit', member.gone);
  child.once('disconnect', () => {
    member.gone();
    // node:cluster has forgotten the worker then: it gets no other in exchange.
    setImmediate(() => kept.release());
  });
}

/** Connections that were to go to one worker, and are another's by now. */
class KeptBack {
  /** @type {Map<number, {key: string, client: TcpHandle}>} */
  #all = new Map();

  /** @param {ChildProcess} child */
  constructor(child) {
    this.child = child;
  }

  /**
   * @param {string} key
   * @param {number} seq of the message that the worker does not get
   * @param {TcpHandle} client
   */
  keep(key, seq, client) {
    this.#all.set(seq, { key, client });
    socketOf(client)?.passOn(client);
    return true;
  }

  /** @param {string} [key] only at this address */
  release(key) {
    for (const [seq, each] of this.#all) {
      if (key !== undefined && each.key !== key) continue;
      this.#all.delete(seq);
      this.#acknowledge(seq, each.client);
    }
  }

  /**
   * @param {number} seq
   * @param {TcpHandle} client which node:cluster closes for that, though another worker has it
   */
  #acknowledge(seq, client) {
    const own = Object.getOwnPropertyDescriptor(client, 'close');
    client.close = () => {};
    this.child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: true });
    if (own) Object.defineProperty(client, 'close', own);
    else delete (/** @type {{close?: unknown}} */ (client).close);
  }
}

/**
 * @param {any} message
 * @returns {string | null} of the address that node:cluster speaks of
 */
function keyOf(message) {
  return message?.cmd === 'NODE_CLUSTER' && typeof message.key === 'string' ? message.key : null;
}

/**
 * @param {any} message
 * @returns {boolean} it answers the worker's wish to listen
 */
function isSocketFor({ ack, errno }) {
  return ack !== undefined && !errno;
}
