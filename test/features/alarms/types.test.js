import t from 'tap';
import { ConfigValue, sourceWithoutFile } from '../../../src/config/file/config-value.js';
import { compareSpecs } from '../../../src/config/compare-specs.js';
import { eventsOf } from '../../../src/features/alarms/options.js';
import { eventNames } from '../../../src/features/alarms/event-names.js';
import { alarms as feature } from '../../../src/features/alarms/options.js';
import { specWith } from '../../support/spec.js';
import { ecosystemDirectory } from '../../config/ecosystem-directory.js';

const alarms = feature.options[0].type;

function read(value) {
  const source = sourceWithoutFile(String);
  const taken = alarms.read(new ConfigValue(value, [], source));
  const { problems } = source;
  return problems.length > 0 ? problems.map(({ text }) => text).join('; ') : taken;
}

const alarm = (parts) => ({
  event: ['worker.errored'],
  failed: false,
  run: null,
  post: null,
  headers: {},
  timeoutMs: 30_000,
  intervalMs: 60_000,
  ...parts,
});
const event = 'worker.errored';
const post = 'https://example.com/hook';

t.test('alarms', async (t) => {
  for (const [value, taken] of [
    [[], []],
    [[{ event, run: 'notify.sh "two words"' }], [alarm({ run: ['notify.sh', 'two words'] })]],
    [
      [{ event: ['worker.*', 'reload.ended'], run: ['a', 1], timeout: '5s', interval: '10m' }],
      [
        alarm({
          event: ['worker.*', 'reload.ended'],
          run: ['a', '1'],
          timeoutMs: 5000,
          intervalMs: 600_000,
        }),
      ],
    ],
    [
      [{ event, post, headers: { Authorization: 'Bearer ${TOKEN}', 'X-N': 1 } }],
      [alarm({ post, headers: { Authorization: 'Bearer ${TOKEN}', 'X-N': '1' } })],
    ],
    [[{ event, post: '${HOOK}' }], [alarm({ post: '${HOOK}' })]],
    [[{ event, post: 'http://127.0.0.1:9/x' }], [alarm({ post: 'http://127.0.0.1:9/x' })]],
    [[{ event, post: 'http://[::1]:9/x' }], [alarm({ post: 'http://[::1]:9/x' })]],
    [
      [{ event: 'job.ended', failed: true, post }],
      [alarm({ event: ['job.ended'], failed: true, post })],
    ],
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
    [
      [{ event, post: 'http://example.com/s3cret' }],
      'expected a URL such as https://example.com/hook, or http:// on this machine',
    ],
    [[{ event, post: 'http://127.0.0.1.example.com' }], /^expected a URL/],
    [[{ event, post: 'file:///etc/passwd' }], /^expected a URL/],
    [[{ event, post, headers: ['A: b'] }], /^expected a map of variables, got a list$/],
    [[{ event, post, interval: 10 }], 'expected a duration of at least 1s, got 10'],
    [[{ event, post, timeout: '1h' }], 'expected a duration of at most 5m, got "1h"'],
    [[{ event, post, failed: true }], 'only events such as reload.ended have an outcome'],
    [
      [{ event, post, exec: 'x' }],
      'expected event, failed, run, post, headers, timeout or interval',
    ],
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
    'x.yml': `apps:
  - script: app.js
    on:
      - event: [worker.exited, worker.erored]
        run: notify.sh
`,
  });
  const { text } = await refusal('x.yml');
  t.match(text, /x\.yml:4:16/);
  t.match(text, 'apps[0].on[0].event');
  t.match(text, 'got "worker.erored"');
});
