/** What `npm run conformance` decides about Node's own tests. */
import t from 'tap';
import {
  classify,
  familyOf,
  flagsOf,
  programOutcome,
  sampleOf,
} from '../../bench/conformance/decisions.js';

t.test('the family of a file', async (t) => {
  t.equal(familyOf('test-http-agent.js'), 'http');
  t.equal(familyOf('test-http2-ping.js'), 'http2');
  t.equal(familyOf('test-stdin-hang.js'), 'std');
  t.equal(familyOf('test-process-exit.mjs'), 'process');
  t.equal(familyOf('test-fs-stat.js'), undefined);
  t.equal(familyOf('test-http-agent.txt'), undefined);
});

t.test('flags', async (t) => {
  t.same(flagsOf("'use strict';\n// Flags: --expose-internals  --no-warnings\n"), [
    '--expose-internals',
    '--no-warnings',
  ]);
  t.same(flagsOf('const text = 1; // Flags: --no\n'), []);
});

t.test(
  'a sample is the same for the same date, whatever the order, and another the next day',
  async (t) => {
    const files = Array.from({ length: 300 }, (_, index) => `test-net-${index}.js`);
    const sample = sampleOf(files, 60, '2026-01-31');
    t.equal(new Set(sample).size, 60);
    t.same(sampleOf([...files].reverse(), 60, '2026-01-31'), sample);
    t.notSame(sampleOf(files, 60, '2026-02-01'), sample);
  },
);

t.test('the outcome of the program', async (t) => {
  const line = (/** @type {string} */ how) =>
    `{"message":"[nodecluster] worker 0 ${how}; it stays"}\n`;
  t.equal(programOutcome('code 0', ''), 'code 0');
  t.equal(programOutcome('deadline', line('exited with code 1')), 'deadline');
  t.equal(programOutcome('code 5', line('exited with code 3')), 'code 3');
  t.equal(programOutcome('code 5', line('was killed by SIGABRT')), 'SIGABRT');
  t.equal(programOutcome('code 5', line('could not listen on a.sock: denied')), 'code 1');
  t.equal(programOutcome('code 5', 'exited with code 3'), 'no exit reported');
});

t.test('whose difference it is', async (t) => {
  t.equal(classify({ plain: 'code 0', worker: 'code 0' }), 'same');
  t.equal(classify({ plain: 'code 0', worker: 'code 1', bare: 'code 1' }), 'node');
  t.equal(classify({ plain: 'code 0', worker: 'code 1', bare: 'code 0' }), 'ours');
});
