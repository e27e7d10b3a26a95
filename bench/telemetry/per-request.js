/**
 * The CPU time that counting and timing add to one request, in a process that does nothing else:
 * node bench/telemetry/per-request.js → {"off": ns, "counted": ns, "timed": ns}. Node's HTTP server reads its requests
 * from a stream, without a network or a second process, so that a few nanoseconds are visible. Of
 * many short blocks only the fastest twentieth counts: nothing has disturbed those.
 */
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { HttpCounts } from '../../src/agent/http-counts.cjs';
import { LATENCY_BOUNDS_MS } from '../../src/shared/latency.js';
import { percentile } from '../table.js';

const ROUNDS = 30;
/** A new subscriber makes V8 recompile Node's HTTP server. */
const SETTLING = 6000;
const BLOCKS = 40;
const BLOCK = 500;
const REQUEST = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

class Client extends Duplex {
  onAnswer = () => {};
  _read() {}
  /** @param {unknown} chunk @param {string} encoding @param {() => void} done */
  _write(chunk, encoding, done) {
    this._writev([], done);
  }
  /** @param {unknown[]} chunks head and body @param {() => void} done */
  _writev(chunks, done) {
    done();
    this.onAnswer();
  }
  setTimeout() {}
}

const client = new Client();
createServer((request, response) => response.end('hello')).emit('connection', client);
const servers = {
  listening: new Set(),
  http2Sessions: new Set(),
  onSession: new Set(),
  onListening: new Set(),
};
/** @type {{off: number[], counted: number[], timed: number[]}} */
const taken = { off: [], counted: [], timed: [] };

await requests(SETTLING);
for (let round = 0; round < ROUNDS; round++) await blocks(taken.off);
const counts = new HttpCounts(servers);
for (let round = 0; round < ROUNDS; round++) {
  await blocks(taken.counted);
  counts.startTiming(LATENCY_BOUNDS_MS);
  await blocks(taken.timed);
  counts.latency = null;
}
const expected = 2 * ROUNDS * (SETTLING + BLOCKS * BLOCK);
if (Math.abs(counts.requests - expected) > ROUNDS) throw new Error(`${counts.requests} counted`);
const fastest = Object.entries(taken).map(([way, times]) => [way, percentile(times, 0.05)]);
console.log(JSON.stringify(Object.fromEntries(fastest)));
process.exit();

/** @param {number[]} into nanoseconds per request */
async function blocks(into) {
  await requests(SETTLING);
  for (let block = 0; block < BLOCKS; block++) {
    const start = process.hrtime.bigint();
    await requests(BLOCK);
    into.push(Number(process.hrtime.bigint() - start) / BLOCK);
  }
}

/** @param {number} count @returns {Promise<void>} when all are answered, one after the other */
function requests(count) {
  return new Promise((resolve) => {
    const ask = () => client.push(REQUEST);
    client.onAnswer = () => {
      count -= 1;
      if (count === 0) resolve();
      else setImmediate(ask);
    };
    ask();
  });
}
