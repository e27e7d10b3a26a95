/**
 * If a worker dies before it acknowledges a connection that was sent to it, that connection is lost:
 * the client would wait forever, without even a reset (Node 20 to 26). Here another worker gets it.
 * That is safe, because a worker acknowledges before it reads.
 */
import { isChannelBroken } from '../../worker/guarded-channel.js';
import { unacknowledgedBy } from '../../worker/unacknowledged.js';
import { socketOf } from '../policies/listening-socket.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { TcpHandle } from '../policies/listening-socket.js'
 */

const CHANNEL_END_TIMEOUT_MS = 200;

/** @param {ChildProcess} child */
export function rescueConnections(child) {
  /** @type {Map<number, TcpHandle>} */
  const sent = unacknowledgedBy(child);
  const { send } = child;
  child.send = /** @type {ChildProcess['send']} */ (
    (/** @type {any} */ message, /** @type {any[]} */ ...rest) => {
      if (isNewConnection(message) && rest[0]) sent.set(message.seq, rest[0]);
      return Reflect.apply(send, child, [message, ...rest]);
    }
  );
  child.prependListener('internalMessage', (message) => {
    const client = message?.cmd === 'NODE_CLUSTER' ? sent.get(message.ack) : undefined;
    if (!client) return;
    sent.delete(message.ack);
    const socket = socketOf(client);
    if (message.accepted) socket?.acknowledged(client);
    // Deferred until node:cluster has put it back into the queue that it came from, because that
    // takes it out of any other queue.
    else queueMicrotask(() => socket?.returned(client));
  });
  child.once('exit', () => {
    // node:cluster removes the worker after both its exit and the end of its channel.
    if (!child.connected) return setImmediate(rescue);
    const timer = setTimeout(() => endChannel(child), CHANNEL_END_TIMEOUT_MS);
    child.once('disconnect', () => {
      clearTimeout(timer);
      setImmediate(rescue);
    });
  });

  const rescue = () => {
    // The worker may have acknowledged and read what it was sent, if its channel broke: then another
    // worker would wait forever for the rest of a request. As if accepted, it is closed instead.
    const accepted = isChannelBroken(child);
    for (const seq of sent.keys()) {
      child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted });
    }
  };
}

/**
 * While a handle is on its way to the dead worker, Node waits for its acknowledgement and does not
 * report the channel's end. So node:cluster would keep the worker, and its connection, forever.
 * @param {ChildProcess} child that has exited
 */
function endChannel(child) {
  let isReported = false;
  child.once('disconnect', () => (isReported = true));
  if (child.connected) child.disconnect();
  setImmediate(() => !isReported && child.emit('disconnect'));
}

/** @param {any} message */
function isNewConnection(message) {
  return message?.cmd === 'NODE_CLUSTER' && message.act === 'newconn';
}
