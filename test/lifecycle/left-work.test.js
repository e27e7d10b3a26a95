import t from 'tap';
import { noteLeftWork } from '../../src/lifecycle/left-work.js';

/** As the libraries send them: log4js 6.9, rate-limiter-flexible 7, cluster-memory-store 0.3, cluster-adapter 0.3. */
const rows = [
  [{ topic: 'log4js:message', data: '{}' }, /log4js .*disableClustering: true.*exec-mode fork/],
  [{ channel: 'rate_limiter_flexible', type: 'init', opts: {} }, /RateLimiterMemory/],
  [
    { command: 'increment', args: [], requestId: 1, prefix: '', from: 'cluster-memory-store' },
    /MemoryStore/,
  ],
  [{ source: '_sio_adapter', type: 1, nsp: '/', uid: 'a' }, /redis-adapter/],
];

for (const [message, note] of rows) t.match(noteLeftWork(message), note, JSON.stringify(message));

t.test('of any other message nothing is known', async (t) => {
  const others = [null, undefined, 0, 'ready', [], { topic: 'x' }, { type: 'process:msg' }];
  for (const message of others) t.equal(noteLeftWork(message), null);
});
