/** The replies to a program that sends its parent a handle: it was received and has been closed. */

/** @type {[string, (message: {key?: unknown}) => object][]} */
const REPLIES = [
  ['NODE_HANDLE', () => ({ cmd: 'NODE_HANDLE_ACK' })],
  // Without these replies, the server that the handle belongs to would never be closed.
  ['NODE_SOCKET_NOTIFY_CLOSE', ({ key }) => ({ cmd: 'NODE_SOCKET_ALL_CLOSED', key })],
  ['NODE_SOCKET_GET_COUNT', ({ key }) => ({ cmd: 'NODE_SOCKET_COUNT', key, count: 0 })],
];
const replies = new Map(REPLIES);

/** @param {any} message of a worker @returns {object | null} null: it is not about a handle */
export function replyToHandle(message) {
  return replies.get(message?.cmd)?.(message) ?? null;
}
