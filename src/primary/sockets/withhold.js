/**
 * Notes where a worker listens, and withholds connections from one that has to wait for them, though it
 * listens. Where the primary accepts, it chooses among the others. Shared: the message with the socket
 * makes its agent accept later; with a socket for each slot, it gets none that it could accept from. The messages are the same on Node 20, 22, 24 and 26; if they were not, no
 * worker would wait.
 */
import { letServe } from '../worker/agent-link.js';
import { nameAddress, pathOf, modeOf } from './addresses.js';
import { handedTo } from './handed.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { ListeningSockets } from './listening-sockets.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

/**
 * @param {ChildProcess} child
 * @param {ListeningSockets} sockets
 * @param {{slot: number, mustProveItself: boolean}} worker mustProveItself: it gets connections once
 *   it is online, or if no such worker serves; if not, at once
 */
export function withholdConnections(child, sockets, { slot, mustProveItself }) {
  const onAdmitted = (/** @type {string} */ key) => letServe(child, key);
  const isAdmitted = !mustProveItself;
  sockets.slotSharing.watch(child);
  const member = sockets.admission.join({ worker: child, slot, isAdmitted, onAdmitted });
  handedTo(child).onFree.add(() => sockets.queues.takeTurns());
  let mode = 0;
  // node:cluster grants a shared socket while it handles the request.
  child.prependListener('internalMessage', (message) => {
    if (message?.act === 'queryServer') mode = modeOf(message);
  });
  const { send } = child;
  child.send = /** @type {ChildProcess['send']} */ (
    (/** @type {any} */ message, /** @type {any} */ handle, /** @type {any[]} */ ...rest) => {
      const pass = (/** @type {any[]} */ ...args) => Reflect.apply(send, child, [...args, ...rest]);
      const key = keyOf(message);
      if (key === null || !grantsSocket(message)) return pass(message, handle);
      // The program may look for the socket's file as soon as it listens.
      sockets.unixPaths.restore();
      if (mode !== 0) handle?.fchmod?.(mode);
      const own = sockets.slotSharing.grant(key, handle, slot);
      const listens = () => {
        sockets.owners.add(key, slot);
        member.listens(key, nameAddress(message.sockname) || pathOf(key) || key);
      };
      // It must have the sockets that it accepts from when it listens.
      if (own) listens();
      const { handle: granted, ...settings } = own ?? sharedBy(child, member, sockets, key, handle);
      const result = pass({ ...message, ...settings }, granted);
      // Afterwards, because it may be sent a connection at once.
      if (!own) listens();
      return result;
    }
  );
  child.on('internalMessage', (message) => {
    const key = keyOf(message);
    if (key !== null && message.act === 'close') member.closed(key);
  });
  child.once('exit', member.leave);
  child.once('disconnect', member.leave);
}

/**
 * @param {ChildProcess} child
 * @param {ReturnType<ListeningSockets['admission']['join']>} member
 * @param {ListeningSockets} sockets
 * @param {string} key of an address at which all workers have the same socket, if any
 * @param {TcpHandle | undefined} handle
 */
function sharedBy(child, member, sockets, key, handle) {
  if (!handle) return { handle };
  const acceptsLater = member.mustWait(key, sockets.isServedBeside(handle));
  const connectionLimit = sockets.fairSharing?.listens(child, key, acceptsLater);
  return { handle, connectionLimit, ...(acceptsLater && { acceptsLater }) };
}

/** @param {any} message @returns the address that it is about, if it is node:cluster's */
function keyOf(message) {
  return message?.cmd === 'NODE_CLUSTER' && typeof message.key === 'string' ? message.key : null;
}

/** @param {any} message @returns {boolean} whether it grants the worker's request to listen */
function grantsSocket({ ack, errno }) {
  return ack !== undefined && !errno;
}
