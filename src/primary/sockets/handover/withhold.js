/**
 * Withholds connections from a worker that has to wait for them, though it listens.
 *
 * Round-robin: the first connection that node:cluster sends it goes to another worker and is not
 * acknowledged, so that node:cluster considers this worker busy and sends it no more. Shared: the
 * message with the socket makes its agent accept later. The messages are the same on Node 20, 22, 24
 * and 26; if they were not, no worker would wait.
 */
import { letServe } from '../../worker/agent-link.js';
import { socketOf } from '../policies/listening-socket.js';
import { nameAddress } from '../policies/sticky.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { TcpHandle } from '../policies/listening-socket.js'
 * @import { ListeningSockets } from '../listening-sockets.js'
 */

/**
 * @param {ChildProcess} child
 * @param {ListeningSockets} sockets
 * @param {{slot: number, mustProveItself: boolean}} worker mustProveItself: it gets connections once
 *   it is online, or if no such worker serves; if not, at once
 */
export function withholdConnections(child, sockets, { slot, mustProveItself }) {
  const withheld = new WithheldConnections(child);
  const onAdmitted = (/** @type {string} */ key) => {
    withheld.release(key);
    letServe(child, key);
  };
  const isAdmitted = !mustProveItself;
  sockets.slotSharing.watch(child);
  const member = sockets.admission.join({ worker: child, slot, isAdmitted, onAdmitted });
  const { send } = child;
  child.send = /** @type {ChildProcess['send']} */ (
    (/** @type {any} */ message, /** @type {any} */ handle, /** @type {any[]} */ ...rest) => {
      const pass = (/** @type {any[]} */ ...args) => Reflect.apply(send, child, [...args, ...rest]);
      const key = keyOf(message);
      if (key === null) return pass(message, handle);
      if (grantsSocket(message)) return grant({ key, message, handle }, pass);
      const isWithheld = message.act === 'newconn' && socketOf(handle) && member.mustWait(key);
      return isWithheld ? withheld.add(key, message.seq, handle) : pass(message, handle);
    }
  );
  /** @param {{key: string, message: any, handle: any}} reply @param {Function} pass */
  const grant = ({ key, message, handle }, pass) => {
    // The program may look for the socket's file as soon as it listens.
    sockets.unixPaths.restore();
    const own = sockets.slotSharing.grant(message, handle, slot);
    const waits = own.handle && member.mustWait(key);
    const result = pass(waits ? { ...own.message, acceptsLater: true } : own.message, own.handle);
    // Afterwards, because it may be sent a connection at once.
    sockets.owners.add(key, slot);
    member.listens(key, nameAddress(message.sockname));
    return result;
  };
  child.on('internalMessage', (message) => {
    const key = keyOf(message);
    if (key !== null && message.act === 'close') member.closed(key);
  });
  child.once('exit', member.leave);
  child.once('disconnect', () => {
    member.leave();
    // By then node:cluster has removed the worker, and sends it no other connection instead.
    setImmediate(() => withheld.release());
  });
}

/** Connections that node:cluster sent to one worker, and that another has by now. */
class WithheldConnections {
  /** @type {Map<number, {key: string, client: TcpHandle}>} */
  #bySeq = new Map();

  /** @param {ChildProcess} child */
  constructor(child) {
    this.child = child;
    // The guard of the channel, which comes later, drops acknowledgements of what was not sent.
    this.emit = child.emit;
  }

  /**
   * @param {string} key
   * @param {number} seq of the message that the worker does not get
   * @param {TcpHandle} client
   */
  add(key, seq, client) {
    this.#bySeq.set(seq, { key, client });
    socketOf(client)?.passOn(client);
    return true;
  }

  /** @param {string} [key] only at this address */
  release(key) {
    for (const [seq, each] of this.#bySeq) {
      if (key !== undefined && each.key !== key) continue;
      this.#bySeq.delete(seq);
      this.#acknowledge(seq, each.client);
    }
  }

  /**
   * @param {number} seq
   * @param {TcpHandle} client that node:cluster then closes, though another worker has it
   */
  #acknowledge(seq, client) {
    const own = Object.getOwnPropertyDescriptor(client, 'close');
    client.close = () => {};
    const reply = { cmd: 'NODE_CLUSTER', ack: seq, accepted: true };
    Reflect.apply(this.emit, this.child, ['internalMessage', reply]);
    if (own) Object.defineProperty(client, 'close', own);
    else delete (/** @type {{close?: unknown}} */ (client).close);
  }
}

/** @param {any} message @returns the address that it is about, if it is node:cluster's */
function keyOf(message) {
  return message?.cmd === 'NODE_CLUSTER' && typeof message.key === 'string' ? message.key : null;
}

/** @param {any} message @returns {boolean} whether it grants the worker's request to listen */
function grantsSocket({ ack, errno }) {
  return ack !== undefined && !errno;
}
