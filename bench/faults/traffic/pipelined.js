/**
 * Pipelined requests: several are sent on one connection before the first answer. A response with
 * `Connection: close` is the last one, and later requests stay unanswered; RFC 9112, 9.3.2 allows the
 * client to repeat those.
 */
import net from 'node:net';

/** @import { Client } from './clients.js' */

const AT_ONCE = 4;

/**
 * @param {number} port
 * @param {{gapMs: number}} options between two of them; 0: all in one write
 * @returns {Client}
 */
export function pipelined(port, { gapMs }) {
  /** @type {net.Socket | null} */
  let kept = null;
  return {
    close: () => kept?.destroy(),
    requests: [
      async (id) => {
        const ids = Array.from({ length: AT_ONCE }, (_, at) => `${id}.${at}`);
        const socket = kept ?? net.connect(port, '127.0.0.1').setEncoding('latin1');
        kept = null;
        const { answered, saidClose, isOpen } = await conversation(socket, ids, gapMs);
        if (isOpen) kept = socket;
        const rest = ids.slice(answered.length);
        return { answered, unanswered: saidClose ? rest : [], lost: saidClose ? [] : rest };
      },
    ],
  };
}

/**
 * @param {net.Socket} socket
 * @param {string[]} ids
 * @param {number} gapMs
 * @returns {Promise<{answered: string[], saidClose: boolean, isOpen: boolean}>}
 */
function conversation(socket, ids, gapMs) {
  return new Promise((resolve) => {
    let received = '';
    const end = (/** @type {boolean} */ isOpen) => {
      socket.removeAllListeners();
      socket.on('error', () => {});
      const { answered, saidClose } = answersIn(received);
      if (!isOpen || saidClose) socket.destroy();
      resolve({ answered, saidClose, isOpen: isOpen && !saidClose });
    };
    socket.on('data', (text) => {
      received += text;
      if (answersIn(received).answered.length === ids.length) end(true);
    });
    socket.on('error', () => {}).on('close', () => end(false));
    void write(socket, ids.map(requestOf), gapMs);
  });
}

/** @param {net.Socket} socket @param {string[]} requests @param {number} gapMs */
async function write(socket, requests, gapMs) {
  if (gapMs === 0) return socket.write(requests.join(''));
  for (const request of requests) {
    if (socket.destroyed) return;
    socket.write(request);
    await new Promise((resolve) => setTimeout(resolve, gapMs));
  }
}

/** @param {string} id */
function requestOf(id) {
  return `GET /plain HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`;
}

/**
 * @param {string} received
 * @returns {{answered: string[], saidClose: boolean}} ids of the answers that came as a whole
 */
function answersIn(received) {
  const answered = [];
  let saidClose = false;
  for (let at = 0; ;) {
    const end = received.indexOf('\r\n\r\n', at);
    const head = received.slice(at, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? NaN);
    at = end + 4 + length;
    if (end === -1 || !(at <= received.length)) return { answered, saidClose };
    answered.push(/^x-request-id: (.+)/im.exec(head)?.[1].trim() ?? '');
    saidClose ||= /^connection: close/im.test(head);
  }
}
