import t from 'tap';
import { renderOutcome } from '../../../src/cli/render/outcome.js';

const plain = { width: null, colours: false };

function outcome(more) {
  return { name: 'api', action: 'start', ok: true, done: [0, 1], failed: [], kept: [], ...more };
}

function standing(more) {
  return { workers: 2, online: [], stopped: [], ...more };
}

const rows = [
  [{ durationMs: 312 }, '✔ api: 2 workers online in 0.3 s.'],
  [
    { action: 'reload', durationMs: 2400, minReady: 2 },
    '✔ api: 2 workers replaced in 2.4 s, never fewer than 2 ready.',
  ],
  [{ action: 'stop', done: [3], durationMs: 100 }, '✔ api: 1 worker stopped in 0.1 s.'],
  [{ action: 'stop', done: [], durationMs: 1 }, '✔ api: was stopped already.'],
  [{ action: 'delete', done: [], durationMs: 1 }, '✔ api: forgotten.'],
  [{ action: 'reset', durationMs: 0 }, '✔ api: 2 workers counted from zero again.'],
  [{ action: 'reset', done: [], durationMs: 0 }, '✔ api: does not run, and begins with zero.'],
  [{ action: 'scale', done: [], durationMs: 1000 }, '✔ api: scaled in 1.0 s.'],
  [{ action: 'none', done: [] }, '✔ api: runs already; `nodecluster reload api` takes new code.'],
  [
    { action: 'none', done: [], after: standing({ workers: 2, stopped: [0] }) },
    '✔ api: runs already; `nodecluster reload api` takes new code; ' +
      'api:0 stays stopped (`nodecluster start api` starts all).',
  ],
  [
    { action: 'resume', durationMs: 0, before: standing({ online: [0, 1] }) },
    '✔ api: runs already; `nodecluster reload api` takes new code.',
  ],
  [
    {
      ...{ action: 'resume', durationMs: 300 },
      ...{ before: standing({ online: [1] }), after: standing({ online: [0, 1] }) },
    },
    '✔ api: 2 workers online in 0.3 s.',
  ],
  [
    { action: 'reload', durationMs: 300, minReady: 0, before: standing({ workers: 2 }) },
    '✔ api: 2 workers started in 0.3 s.',
  ],
  [
    {
      ...{ action: 'reload', done: [1], durationMs: 300, minReady: 1 },
      ...{ before: standing({ online: [1] }), after: standing({ workers: 2, stopped: [0] }) },
    },
    '✔ api: 1 worker replaced in 0.3 s, never fewer than 1 ready; ' +
      'api:0 stays stopped (`nodecluster start api` starts all).',
  ],
  [
    {
      ...{ action: 'scale', done: [], durationMs: 1 },
      ...{ before: standing({ workers: 1 }), after: standing({ workers: 1, online: [0] }) },
    },
    '✔ api: has 1 worker already.',
  ],
  [
    {
      ...{ action: 'scale', done: [], durationMs: 1 },
      ...{ before: standing({ workers: 1 }), after: standing({ workers: 2, stopped: [0, 1] }) },
    },
    '✔ api: scaled to 2 workers in 0.0 s; it stays stopped (`nodecluster start api` starts it).',
  ],
  [
    {
      ...{ action: 'scale', done: [], durationMs: 1 },
      ...{ before: standing({ workers: 4 }), after: standing({ workers: 4, online: [0, 1] }) },
    },
    '✔ api: has 4 workers already, 2 of them online.',
  ],
  [
    {
      ...{ action: 'scale', ok: false, done: [2], durationMs: 1 },
      ...{ failed: [{ slot: 3, reason: 'exit code 1', lastLines: [] }] },
      ...{ before: standing({ workers: 2 }), after: standing({ workers: 4, online: [0, 1, 2] }) },
    },
    [
      '✖ api: scale: 1 of 2 workers failed; the app has 4 workers now, 3 of them online ' +
        '(`nodecluster scale api 2` goes back).',
      '  api:3: exit code 1',
    ].join('\n'),
  ],
  [
    { durationMs: 500, after: standing({ online: [1] }) },
    '✔ api: 2 workers started in 0.5 s.',
    'one that ended as it may is not online',
  ],
  [
    { action: 'reload', durationMs: 30_000, minReady: 2, longLivedCut: 3 },
    [
      '✔ api: 2 workers replaced in 30.0 s, never fewer than 2 ready.',
      '  3 long-lived connections cut when drain_timeout was up.',
    ].join('\n'),
  ],
];

for (const [more, text] of rows) {
  t.test(text.split('\n')[0], async (t) => {
    t.equal(renderOutcome(outcome(more), plain), text);
  });
}

t.test('a failure shows the last lines of what the worker said, masked', async (t) => {
  const failed = [
    { id: 1, slot: 1, reason: 'exit code 1', lastLines: ['Error: \u001b[31mno\u001b[39m \u0007'] },
  ];
  t.equal(
    renderOutcome(outcome({ action: 'reload', ok: false, done: [], failed, kept: [0, 1] }), plain),
    [
      '✖ api: reload: 1 of 2 workers failed; 2 workers of the old version stay.',
      '  api:1: exit code 1',
      '    | Error: no \\x07',
    ].join('\n'),
  );
});

t.test('a reload that fails half-way says which workers run what', async (t) => {
  const failed = [{ id: 2, slot: 2, reason: 'exit code 1', lastLines: [] }];
  const half = { action: 'reload', ok: false, failed, kept: [2] };
  const rows = [
    [{ done: [0, 1] }, '1 worker of the old version stays; 2 workers of the new version stay.'],
    [{ done: [], rolledBack: [0, 1] }, '1 worker of the old version stays; 2 workers rolled back.'],
  ];
  for (const [more, text] of rows) {
    const [head] = renderOutcome(outcome({ ...half, ...more }), plain).split('\n');
    t.equal(head, `✖ api: reload: 1 of 3 workers failed; ${text}`);
  }
});

t.test('what nobody waits for is only accepted', async (t) => {
  t.equal(
    renderOutcome(outcome({ action: 'reload', done: [], accepted: true }), plain),
    '✔ api: reload accepted; `nodecluster describe api` shows its outcome.',
  );
});

t.test(
  'a failure of what did not run keeps nothing; what is said alike is said once',
  async (t) => {
    const failed = [0, 1, 2].map((slot) => ({ slot, reason: 'exit code 1', lastLines: ['no'] }));
    const more = { action: 'reload', ok: false, done: [], failed, kept: [0, 1] };
    t.equal(
      renderOutcome(outcome({ ...more, before: standing({}) }), plain),
      [
        '✖ api: reload: 3 of 3 workers failed.',
        '  api:0: exit code 1',
        '    | no',
        '  api:1, api:2: the same',
      ].join('\n'),
    );
    const [first] = renderOutcome(
      outcome({ ...more, before: standing({ online: [1] }) }),
      plain,
    ).split('\n');
    t.match(first, /; 1 worker of the old version stays\.$/);
  },
);

t.test('a failure without a worker to blame is still a failure', async (t) => {
  t.equal(renderOutcome(outcome({ ok: false, done: [] }), plain), '✖ api: start: failed.');
});
