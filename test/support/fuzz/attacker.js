/** A client that sends frames of a FrameSource, connection after connection, and reads the replies. */
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { PROTOCOL_VERSION } from '../../../src/shared/version.js';
import { deeplyNested } from './frames.js';

/** @import { FrameSource } from './frames.js' */

/** Fewer than the requests that a server carries out for one client at a time. */
const PER_CONNECTION = 60;
const GIGABYTE = 2 ** 30;
const CLOSE_MS = 5000;
const HELLO = { role: 'fuzz', version: '0', protocol: PROTOCOL_VERSION, oldest: PROTOCOL_VERSION };

/**
 * @param {string} socketPath
 * @param {FrameSource} source
 * @param {number} count of frames
 * @returns {Promise<{frames: number, connections: number, refused: number}>}
 */
export async function attack(socketPath, source, count) {
  const sums = { frames: 0, connections: 0, refused: 0 };
  while (sums.frames < count) {
    const length = Math.min(PER_CONNECTION, count - sums.frames);
    const isRefused = await onConnection(socketPath, source, length);
    sums.connections += 1;
    sums.refused += isRefused ? 1 : 0;
    sums.frames += length;
  }
  return sums;
}

/**
 * The attacks that need their own connection: very slow bytes, a very deep frame, and a gigabyte
 * without a newline.
 * @param {string} socketPath
 * @returns {Promise<{frames: number, megabytesTaken: number}>}
 */
export async function attackOnce(socketPath) {
  const deep = await open(socketPath);
  for (const frame of deeplyNested()) deep.write(frame);
  await repliedOrClosed(deep);
  deep.destroy();
  const slow = await open(socketPath);
  for (const character of '{"jsonrpc":"2.0","id":1,"method":"list"') {
    slow.write(character);
    await pause(20);
  }
  slow.destroy();
  const endless = await open(socketPath);
  const part = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < GIGABYTE && !endless.destroyed; sent += part.length) {
    if (!endless.write(part)) await oneOf(endless, ['drain', 'close']);
  }
  const megabytesTaken = Math.ceil(endless.bytesWritten / 2 ** 20);
  endless.destroy();
  return { frames: 5, megabytesTaken };
}

/** @param {string} socketPath @param {FrameSource} source @param {number} length */
async function onConnection(socketPath, source, length) {
  const socket = await open(socketPath, source.pick([true, true, true, false]));
  const endsWith = source.pick(['garbage', 'garbage', 'nothing']);
  for (let index = 0; index < length && !socket.destroyed; index++) {
    const isLast = index === length - 1 && endsWith === 'garbage';
    socket.write(isLast ? source.garbage() : source.request());
  }
  if (endsWith === 'garbage') socket.write('\n');
  const isRefused = await repliedOrClosed(socket);
  socket.destroy();
  return isRefused;
}

/** @param {string} socketPath @param {boolean} [saysHello] @returns {Promise<net.Socket>} */
async function open(socketPath, saysHello = true) {
  const socket = net.connect(socketPath);
  socket.on('error', () => {});
  await oneOf(socket, ['connect', 'close']);
  const hello = { jsonrpc: '2.0', id: 0, method: 'hello', params: HELLO };
  if (saysHello) socket.write(`${JSON.stringify(hello)}\n`);
  return socket;
}

/** @param {net.Socket} socket @param {string[]} events @returns {Promise<void>} */
function oneOf(socket, events) {
  return new Promise((resolve) => {
    const end = () => {
      for (const event of events) socket.off(event, end);
      resolve();
    };
    for (const event of events) socket.on(event, end);
  });
}

/**
 * Sends a valid request last: its reply shows that everything before it has been read.
 * @param {net.Socket} socket
 * @returns {Promise<boolean>} whether the server closed the connection instead
 */
function repliedOrClosed(socket) {
  return new Promise((resolve) => {
    const last = 'the-last-one';
    let tail = '';
    const timer = setTimeout(() => resolve(false), CLOSE_MS);
    const end = (/** @type {boolean} */ isClosed) => {
      clearTimeout(timer);
      resolve(isClosed);
    };
    socket.setEncoding('latin1').on('data', (text) => {
      tail = (tail + text).slice(-200_000);
      if (tail.includes(last)) end(false);
    });
    socket.once('close', () => end(true));
    if (socket.destroyed) end(true);
    socket.write(`{"jsonrpc":"2.0","id":"${last}","method":"no-such-method","params":{}}\n`);
  });
}
