import t from 'tap';
import { plain } from '../../../src/show/paint.js';
import { renderStacks, why } from '../../../src/features/why/show.js';

const at = new Date(2023, 10, 14, 22, 13, 20).getTime();
const frames = [
  { name: 'readSync', file: 'node:fs', line: 748, column: 3, origin: 'node' },
  { name: 'hash\u001b[2J', file: '/srv/hash.js', line: 10, column: 5, origin: 'program' },
  { name: '', file: '/srv/server.js', line: 20, column: 3, origin: 'program' },
];
const worker = { id: 0, pid: 4000, generation: 1, at, frames: [], note: null };

t.test('why', async (t) => {
  const workers = [
    { ...worker, slot: 0, state: 'blocked', frames },
    { ...worker, slot: 1, state: 'running' },
    { ...worker, slot: 2, state: 'native', note: 'waits in a native call' },
    { ...worker, slot: 3, state: 'unknown', note: 'handles SIGUSR1 itself' },
    { ...worker, slot: 4, state: 'stopped', note: 'is stopped by SIGSTOP' },
  ];
  t.matchSnapshot(renderStacks([{ name: 'api', workers }], plain));
  t.equal(renderStacks([{ name: 'api', workers: [] }], plain), 'api: no worker runs');
});

t.test('describe', async (t) => {
  const stack = { state: 'blocked', frames, note: null, at };
  const app = { name: 'api', workers: [{ slot: 0, stack: null }, { slot: 1, stack }, { slot: 2 }] };
  t.matchSnapshot(why.workerLines(app, plain, at + 4000).join('\n'));
  t.same(why.workerLines({ name: 'api', workers: [{ slot: 0 }] }, plain, at), []);
});
