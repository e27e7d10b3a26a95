/** Handles that come through a worker's channel. All are closed but those that its agent hands on. */
import { AGENT_CMD } from './agent-reports.js';

/** @typedef {{close: () => void}} Handle */

/** @type {[string, (message: {key?: unknown}) => object][]} */
const REPLIES = [
  ['NODE_HANDLE', () => ({ cmd: 'NODE_HANDLE_ACK' })],
  // Without these replies, the server that the handle belongs to would never be closed.
  ['NODE_SOCKET_NOTIFY_CLOSE', ({ key }) => ({ cmd: 'NODE_SOCKET_ALL_CLOSED', key })],
  ['NODE_SOCKET_GET_COUNT', ({ key }) => ({ cmd: 'NODE_SOCKET_COUNT', key, count: 0 })],
];
const replies = new Map(REPLIES);

/**
 * The replies to a program that sends its parent a handle: it was received and has been closed.
 * @param {any} message of a worker
 * @returns {object | null} null: it is not about a handle
 */
export function replyToHandle(message) {
  return replies.get(message?.cmd)?.(message) ?? null;
}

/**
 * @param {any} message of a worker
 * @returns {boolean} whether its agent hands on a connection. It expects a reply of another kind
 */
export function isSurplus(message) {
  return message?.cmd === 'NODE_HANDLE' && message.msg?.cmd === AGENT_CMD;
}

/** The latest handle from one worker, until the message is read that it belongs to. */
export class ReceivedHandle {
  /** @type {Handle | null} */
  #handle = null;

  /** @param {Handle | null} handle */
  put(handle) {
    if (!handle) return;
    this.close();
    this.#handle = handle;
  }

  /** @returns {Handle | null} null: the system had no descriptor left for it */
  take() {
    const handle = this.#handle;
    this.#handle = null;
    return handle;
  }

  close() {
    this.take()?.close();
  }
}
