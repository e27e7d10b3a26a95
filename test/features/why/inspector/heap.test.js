/** A heap snapshot, taken by a process that only looks like Node with its inspector open. */
import http from 'node:http';
import net from 'node:net';
import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { readMessages } from '../../../../src/features/why/inspector/session.js';
import { takeProfile } from '../../../../src/features/why/inspector/tasks.js';
import { listening } from '../../../support/listening.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { eventOf, within } from '../../../support/until.js';

const PIECES = 50;

/** @param {object} message @returns {Buffer} a short one, as a server sends it */
function frameOf(message) {
  const payload = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.of(0x81, payload.length), payload]);
}

/** Notes what it is asked for; writes a heap piece by piece, one in each turn. @param {import('tap').Test} t */
async function fakeInspector(t) {
  /** @type {string[]} */
  const noted = [];
  const server = http.createServer().on('upgrade', async (_request, socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    socket.on('error', () => {}).once('close', () => noted.push('closed'));
    for await (const text of readMessages(socket.map(unmasked))) {
      const { id, method, params } = JSON.parse(text);
      if (method === 'Runtime.evaluate') {
        noted.push(params.expression);
        socket.end();
        return;
      }
      const isHeap = method === 'HeapProfiler.takeHeapSnapshot';
      const written = isHeap ? writeHeap(socket).then(() => noted.push('written')) : null;
      void Promise.resolve(written).then(() => socket.write(frameOf({ id, result: {} })));
    }
  });
  return { url: `ws://127.0.0.1:${await listening(t, server)}/`, noted };
}

/** @param {import('node:stream').Duplex} socket */
async function writeHeap(socket) {
  for (let n = 0; n < PIECES; n++) {
    const params = { chunk: 'a' };
    socket.write(frameOf({ method: 'HeapProfiler.addHeapSnapshotChunk', params }));
    await setImmediate();
  }
}

/** @param {Buffer} frame that is short, whole, and has a mask of zeros */
function unmasked(frame) {
  const { length } = frame;
  const isShort = (frame[1] & 0x7f) < 126;
  const head = isShort ? 2 : 4;
  return Buffer.concat([
    frame.subarray(0, 1),
    Buffer.of(frame[1] & 0x7f),
    frame.subarray(2, head),
    frame.subarray(head + 4, length),
  ]);
}

/** @param {import('tap').Test} t */
async function begun(t) {
  const { url, noted } = await fakeInspector(t);
  const directory = temporaryDirectory(t);
  const socket = path.join(directory, 'profile.sock');
  const said = new EventEmitter();
  const done = takeProfile(
    { kind: 'heap', pid: process.pid, needsSignal: false, socket },
    {
      open: async () => ({ url }),
      send: ({ type }) => void said.emit(type),
      lost: new Promise(() => {}),
    },
  );
  await eventOf(said, 'listening');
  return { command: net.connect(socket), noted, done };
}

t.test('is read to its end also if nobody wants it any more', async (t) => {
  const { command, noted, done } = await begun(t);
  await once(command, 'data');
  command.destroy();
  await within(done, 'the end of the snapshot');
  // Node 20 to 26 can end by SIGSEGV if its inspector is closed before.
  t.same(noted.slice(0, 2), ['written', 'process._debugEnd()']);
});

t.test('arrives whole', async (t) => {
  const { command, noted, done } = await begun(t);
  let text = '';
  command.on('data', (data) => (text += data));
  await once(command, 'end');
  command.end();
  await done;
  const lines = text.trim().split('\n');
  t.same(
    lines.map((line) => JSON.parse(line)),
    [...Array.from({ length: PIECES }, () => ({ piece: 'a' })), { done: {} }],
  );
  t.equal(noted[0], 'written');
});
