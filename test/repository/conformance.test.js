/** What `npm run conformance` decides about Node's own tests. */
import t from 'tap';
import * as decisions from '../../bench/conformance/decisions.js';

t.test('the family of a file, and the suite of Debian for a version of Node', async (t) => {
  t.equal(decisions.familyOf('test-http-agent.js'), 'http');
  t.equal(decisions.familyOf('test-http2-ping.js'), 'http2');
  t.equal(decisions.familyOf('test-stdin-hang.js'), 'std');
  t.equal(decisions.familyOf('test-process-exit.mjs'), 'process');
  t.equal(decisions.familyOf('test-fs-stat.js'), undefined);
  t.equal(decisions.familyOf('test-http-agent.txt'), undefined);
  t.equal(decisions.suiteFor('v20.12.0'), 'trixie');
  t.equal(decisions.suiteFor('v22.1.0'), 'trixie');
  t.equal(decisions.suiteFor('v24.0.0'), 'forky');
});

t.test('flags', async (t) => {
  t.same(decisions.flagsOf("'use strict';\n// Flags: --expose-internals  --no-warnings\n"), [
    '--expose-internals',
    '--no-warnings',
  ]);
  t.same(decisions.flagsOf('const text = 1; // Flags: --no\n'), []);
});

t.test('a sample is the same for one date, in any order, and another the next day', async (t) => {
  const files = Array.from({ length: 300 }, (_, index) => `test-net-${index}.js`);
  const sample = decisions.sampleOf(files, 60, '2026-01-31');
  t.equal(new Set(sample).size, 60);
  t.same(decisions.sampleOf([...files].reverse(), 60, '2026-01-31'), sample);
  t.notSame(decisions.sampleOf(files, 60, '2026-02-01'), sample);
});

t.test('a test that skips itself does not count as passed', async (t) => {
  t.equal(decisions.outcomeAlone('code 0', '1..0 # Skipped: missing crypto\n'), 'skipped');
  t.equal(decisions.outcomeAlone('code 0', 'nothing to say of 1..0 # Skipped\n'), 'code 0');
  t.equal(decisions.outcomeAlone('code 1', '1..0 # Skipped: missing crypto\n'), 'code 1');
});

t.test('the outcome of the program', async (t) => {
  const line = (how) => `{"message":"[nodecluster] worker 0 ${how}; it stays"}\n`;
  t.equal(decisions.programOutcome('code 0', ''), 'code 0');
  t.equal(decisions.programOutcome('deadline', line('exited with code 1')), 'deadline');
  t.equal(decisions.programOutcome('code 1', line('exited with code 3')), 'run: code 1');
  t.equal(decisions.programOutcome('code 5', line('exited with code 3')), 'code 3');
  t.equal(decisions.programOutcome('code 5', line('was killed by SIGABRT')), 'SIGABRT');
  t.equal(decisions.programOutcome('code 5', line('could not listen on a.sock: denied')), 'code 1');
  t.equal(decisions.programOutcome('code 5', 'exited with code 3'), 'no exit reported');
});

t.test('whose difference it is', async (t) => {
  const rows = [
    { ends: ['worker 0'], verdict: 'same' },
    { ends: ['worker 1', 'bare 1'], verdict: 'node' },
    { ends: ['worker 1', 'bare 0', 'alone 1'], verdict: 'unsteady' },
    { ends: ['worker 1', 'bare 0', 'alone 0', 'worker 0'], verdict: 'once' },
    { ends: ['worker 1', 'bare 0', 'alone 0', 'worker 1', 'bare 1'], verdict: 'node' },
    { ends: ['worker 1', 'bare 0', 'alone 0', 'worker 1', 'bare 0'], verdict: 'ours' },
  ];
  for (const { ends, verdict } of rows) {
    const left = [...ends];
    const next = (name) => async () => {
      const [ran, code] = (left.shift() ?? '').split(' ');
      t.equal(ran, name, `${verdict}: what runs next`);
      return `code ${code}`;
    };
    const runs = { alone: next('alone'), worker: next('worker'), bare: next('bare') };
    t.equal((await decisions.verdictOf(runs)).verdict, verdict);
    t.same(left, [], `${verdict}: nothing is left out`);
  }
});
