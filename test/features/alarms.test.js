import t from 'tap';
import { ConfigSource, ConfigValue } from '../../src/config/file/config-value.js';
import { compareSpecs } from '../../src/config/compare-specs.js';
import { Notices } from '../../src/features/alarms/decide.js';
import { eventNames } from '../../src/features/alarms/event-names.js';
import { alarms as feature, eventsOf } from '../../src/features/alarms/options.js';
import { alarms as shown } from '../../src/features/alarms/show.js';
import { specWith } from '../support/spec.js';
import { ecosystemDirectory } from '../config/ecosystem-directory.js';

const INTERVAL_MS = 60_000;

/** Plays steps such as `10 a` (an event of that type), `20 ok`, `20 failed` (how the attempt ended) and `30` (a look). */
function play(steps) {
  const notices = new Notices();
  let current = null;
  const log = [];
  for (const step of steps.split(', ')) {
    const [time, what] = step.split(' ');
    const nowMs = Number(time) * 1000;
    if (/^[ab]$/.test(what)) notices.add({ type: what, at: nowMs }, nowMs);
    else if (what !== undefined) {
      const givenUp = notices.end(current, what === 'ok' ? null : 'no answer', nowMs);
      if (givenUp) log.push(`${time} given up after ${givenUp.attempts}`);
    }
    const { dueMs } = notices;
    if (dueMs > nowMs) log.push(`${time} wait ${(dueMs - nowMs) / 1000}`);
    else if (dueMs !== null) {
      current = notices.begin(nowMs, INTERVAL_MS);
      log.push(`${time} ${current.event.type}×${current.count}`);
    }
  }
  return log.join(', ');
}

/** What happens at which second, and what is begun then: `type×count`. */
const rows = [
  ['the first event at once', '0 a', '0 a×1'],
  [
    'those of the next minute together, at its end',
    '0 a, 0.1 ok, 1 a, 2 a, 59, 60',
    '0 a×1, 1 wait 59, 2 wait 58, 59 wait 1, 60 a×2',
  ],
  ['after a quiet minute at once again', '0 a, 0.1 ok, 60 a', '0 a×1, 60 a×1'],
  ['another type waits only for its turn', '0 a, 0.01 b, 0.1 ok', '0 a×1, 0.1 b×1'],
  [
    'attempts after 1 s, 5 s, 30 s and 2 min, then it is given up',
    '0 a, 0 failed, 1, 1 failed, 6, 6 failed, 36, 36 failed, 156, 156 failed, 200',
    '0 a×1, 0 wait 1, 1 a×1, 1 wait 5, 6 a×1, 6 wait 30, 36 a×1, 36 wait 120, 156 a×1, 156 given up after 5',
  ],
  ['during a failing attempt', '0 a, 0.1 a, 0.2 a, 0.5 failed, 1.5', '0 a×1, 0.5 wait 1, 1.5 a×3'],
  ['between two', '0 a, 0 failed, 0.5 a, 1, 1.5 ok, 2', '0 a×1, 0 wait 1, 0.5 wait 0.5, 1 a×2'],
  [
    'a command that causes its own event runs once in an interval',
    '0 a, 1 a, 2 ok, 60, 61 a, 62 ok, 120',
    '0 a×1, 2 wait 58, 60 a×1, 62 wait 58, 120 a×1',
  ],
];

t.test('when deliveries begin; no more wait than there are types', async (t) => {
  for (const [name, steps, expected] of rows) t.same(play(steps), expected, name);
  const notices = new Notices();
  for (let n = 0; n < 1000; n += 1) notices.add({ type: `t${n % 7}`, at: n }, n);
  t.equal(notices.all.length, 7);
  t.match(notices.all[0], { count: 143, firstAt: 0, event: { type: 't0', at: 994 } });
});

const alarms = feature.options[0].type;

function read(value) {
  const source = new ConfigSource();
  const taken = alarms.read(new ConfigValue(value, [], source));
  const { problems } = source;
  return problems.length > 0 ? problems.map(({ text }) => text).join('; ') : taken;
}

const alarm = (parts) => ({
  ...{ event: ['worker.errored'], failed: false, run: null, post: null, headers: {} },
  ...{ timeoutMs: 30_000, intervalMs: 60_000 },
  ...parts,
});
const event = 'worker.errored';
const jobs = 'job.ended';
const several = ['worker.*', 'reload.ended'];
const post = 'https://example.com/hook';

t.test('alarms', async (t) => {
  for (const [value, taken] of [
    [[], []],
    [[{ event, run: 'notify.sh "two words"' }], [alarm({ run: ['notify.sh', 'two words'] })]],
    [
      [{ event: several, run: ['a', 1], timeout: '5s', interval: '10m' }],
      [alarm({ event: several, run: ['a', '1'], timeoutMs: 5000, intervalMs: 600_000 })],
    ],
    [
      [{ event, post, headers: { Authorization: 'Bearer ${TOKEN}', 'X-N': 1 } }],
      [alarm({ post, headers: { Authorization: 'Bearer ${TOKEN}', 'X-N': '1' } })],
    ],
    [[{ event, post: '${HOOK}' }], [alarm({ post: '${HOOK}' })]],
    [[{ event, post: 'http://127.0.0.1:9/x' }], [alarm({ post: 'http://127.0.0.1:9/x' })]],
    [[{ event, post: 'http://[::1]:9/x' }], [alarm({ post: 'http://[::1]:9/x' })]],
    [[{ event: jobs, failed: true, post }], [alarm({ event: [jobs], failed: true, post })]],
    [{ event, post }, 'expected a list of alarms, each a map of event, and run or post, got a map'],
    [['worker.errored'], /^expected a map of event, failed, run/],
    [[{ post }], /^expected an event such as worker.errored/],
    [[{ event: [], post }], /got an empty list$/],
    [[{ event: 'worker.erored', post }], /^expected an event .*, got "worker.erored"$/],
    [[{ event: ['worker.*', 'workers.*'], post }], /^expected an event .*, got "workers.\*"$/],
    [[{ event: 'worker.event', post }], /^expected an event/],
    [[{ event: 'worker', post }], /^expected an event/],
    [[{ event }], /^expected either run or post/],
    [[{ event, run: 'a', post }], /^expected either run or post/],
    [[{ event, run: 'a', headers: { A: 1 } }], /^only a request \(post\) has headers$/],
    [[{ event, run: [] }], /^expected a command with its arguments/],
    [[{ event, post: 'http://example.com/s3cret' }], /^expected a URL such as .*, or http:/],
    [[{ event, post: 'http://127.0.0.1.example.com' }], /^expected a URL/],
    [[{ event, post: 'file:///etc/passwd' }], /^expected a URL/],
    [[{ event, post, headers: ['A: b'] }], /^expected a map of variables, got a list$/],
    [[{ event, post, interval: 10 }], 'expected a duration of at least 1s, got 10'],
    [[{ event, post, timeout: '1h' }], 'expected a duration of at most 5m, got "1h"'],
    [[{ event, post, failed: true }], 'only events such as reload.ended have an outcome'],
    [[{ event, post, exec: 'x' }], /expected event, failed, run, post, headers, timeout or i/],
  ]) {
    t.match(read(value), taken, JSON.stringify(value));
  }
});

t.test('what is written is read as the same', async (t) => {
  const value = [
    alarm({ run: ['a', 'b'] }),
    alarm({ event: ['job.ended', 'worker.*'], failed: true, post, headers: { A: 'b' } }),
  ];
  t.same(read(alarms.write(value)), value);
});

t.test('patterns', async (t) => {
  t.same(eventsOf('job.*'), ['job.started', 'job.skipped', 'job.ended']);
  t.same(eventsOf('reload.ended'), ['reload.ended']);
  t.ok(eventsOf('*.ended').includes('job.ended'));
  t.same(eventsOf('*'), eventNames);
  for (const wrong of ['', 'job', 'job.', '.ended', 'job.*.x', 'j*.ended', '*.*']) {
    t.same(eventsOf(wrong), [], wrong);
  }
});

t.test('a plan shows no secret of them', async (t) => {
  const secret = 'https://me:pw@hooks.example.com/T0/s3cret?key=s3cret';
  const headers = { Authorization: 'Bearer s3cret', 'X-Key': '${KEY}' };
  const run = ['curl', '--password', 's3cret', '-H', 'X-Api-Key: s3cret', 'https://me:s3cret@h/'];
  const on = [alarm({ post: secret, headers }), alarm({ post: '${HOOK}' }), alarm({ run })];
  const { needs, changes } = compareSpecs(specWith({}), specWith({ on }));
  t.equal(needs, 'configure', 'no worker is replaced');
  t.notMatch(JSON.stringify(changes), /s3cret|pw/);
  t.match(changes[0].to, [
    {
      post: 'https://me:********@hooks.example.com/********',
      headers: { Authorization: '********', 'X-Key': '${KEY}' },
    },
    { post: '${HOOK}' },
  ]);
});

t.test('a wrong name is shown where it is', async (t) => {
  const { refusal } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\non:\n  - event: [worker.exited, worker.erored]\n    run: notify.sh\n',
  });
  const { text } = await refusal('x.yml');
  t.match(text, /x\.yml:3:12/);
  t.match(text, 'on[0].event');
  t.match(text, 'got "worker.erored"');
});

t.test('what alarms have delivered', async (t) => {
  const told = { event: ['worker.errored', 'reload.*'], to: './notify.sh', delivered: 3 };
  const quiet = { ...told, givenUp: 0, waiting: 0 };
  const to = 'POST https://example.com/********';
  const trouble = 'the server answered 503';
  const troubled = { event: ['*'], to, delivered: 0, givenUp: 12, waiting: 2, trouble };
  t.equal(shown.section({}), null);
  t.equal(shown.section({ alarms: [] }), null);
  t.same(shown.section({ alarms: [quiet, troubled] }).facts, [
    ['worker.errored, reload.*', './notify.sh: 3 delivered', ''],
    ['*', `${to}: 0 delivered, 2 waiting, 12 given up; the last attempt failed: ${trouble}`, 'bad'],
  ]);
});
