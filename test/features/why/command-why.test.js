import t from 'tap';
import { exitCodeOf } from '../../../src/features/why/command-why.js';

const on = { pid: 4000, state: 'running', status: 'online' };

/** what a worker is doing, and the exit code */
const rows = [
  ['it serves', on, 0],
  ['its state is not known', { ...on, state: 'unknown' }, 5],
  ['it is stopped', { ...on, pid: null, status: 'stopped' }, 5],
  ['a crash loop: it waits', { ...on, pid: null, state: 'unknown', status: 'backoff' }, 5],
  ['a crash loop: it starts again', { ...on, status: 'backoff' }, 5],
  ['a crash loop: it cannot be asked yet', { ...on, state: 'unknown', status: 'backoff' }, 5],
  ['a crash loop: it is online', { ...on, recentCrashes: 3 }, 5],
  ['a crash loop: it was given up', { ...on, pid: null, status: 'errored' }, 5],
];

/** @param {object[]} each */
const codeOf = (...each) => {
  const workers = each.map((worker, id) => ({ id, ...worker }));
  return exitCodeOf([{ name: 'api', workers }], [{ name: 'api', workers }]);
};

for (const [what, worker, code] of rows) {
  t.test(what, async (t) => t.equal(codeOf(worker), code));
}

t.test('beside a crash loop, one that serves decides', async (t) => {
  const phases = rows.filter(([what]) => what.startsWith('a crash loop'));
  for (const [what, worker] of phases) t.equal(codeOf(on, worker), 0, what);
});
