import http from 'node:http';
import t from 'tap';
import {
  encodeFrame,
  openWebSocket,
  readMessages,
} from '../../../../src/features/why/inspector/session.js';
import { listening } from '../../../support/listening.js';

/** @param {string} text @returns {Buffer} as a server sends it */
function serverFrame(text) {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.of(0x81, length), payload]);
  if (length < 65_536) {
    return Buffer.concat([Buffer.of(0x81, 126, length >> 8, length & 255), payload]);
  }
  const head = Buffer.alloc(10);
  head.writeUInt16BE(0x817f);
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** @param {Buffer} bytes @param {number} size */
async function* pieces(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** @param {AsyncIterable<Buffer>} chunks */
async function allOf(chunks) {
  const messages = [];
  for await (const message of readMessages(chunks)) messages.push(message);
  return messages;
}

t.test('messages of every length, however they are split', async (t) => {
  const texts = ['', 'a', '€'.repeat(60), 'b'.repeat(126), 'c'.repeat(70_000), 'last'];
  const bytes = Buffer.concat([...texts.map(serverFrame), Buffer.of(0x89, 0), Buffer.of(0x88, 0)]);
  for (const size of [1, 7, 4096, bytes.length]) t.same(await allOf(pieces(bytes, size)), texts);
});

t.test('a message in several parts, or one without an end, is refused', async (t) => {
  await t.rejects(allOf(pieces(Buffer.of(0x01, 1, 97), 9)), { message: /several parts/ });
  const huge = Buffer.of(0x81, 127, 0, 0, 255, 0, 0, 0, 0, 0);
  await t.rejects(allOf(pieces(huge, 9)), { message: /too long/ });
});

t.test('what is sent is masked', async (t) => {
  for (const length of [3, 125, 126, 100_000]) {
    const text = 'x'.repeat(length);
    const frame = encodeFrame(text);
    const head = length < 126 ? 2 : length > 0xffff ? 10 : 4;
    t.equal(frame[0], 0x81);
    t.equal(frame[1] & 0x80, 0x80);
    const mask = frame.subarray(head, head + 4);
    const payload = frame.subarray(head + 4).map((byte, at) => byte ^ mask[at % 4]);
    t.equal(Buffer.from(payload).toString(), text);
  }
});

t.test('a server that refuses, or is silent, is an error', async (t) => {
  const server = http.createServer((request, response) => {
    if (request.url === '/refuses') response.writeHead(400).end();
  });
  server.on('upgrade', (request, socket) => {
    if (request.url === '/refuses') socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  const base = `ws://127.0.0.1:${await listening(t, server)}`;
  await t.rejects(openWebSocket(`${base}/refuses`, 5000), { message: /replied 400/ });
  await t.rejects(openWebSocket(`${base}/silent`, 50), { message: /does not answer/ });
});
