import { EventEmitter } from 'node:events';
import t from 'tap';
import { LATENCY_BOUNDS_MS } from '../../src/shared/latency.js';
import * as decide from '../../src/features/canary/decide.js';
import { commandWith, outcome } from '../cli/fake-context.js';
import { canary as judge } from '../../src/features/canary/primary.js';
import { canary } from '../../src/features/canary/show.js';
import { reasonText } from '../../src/show/reason.js';
import { Features } from '../../src/primary/features.js';

const RULE = { instances: 1, forMs: 120_000, max5xx: 0.01, maxP99: 2 };
const END = 120_000;

/** Of one worker, requests that were all answered; `slow` of them took `slowMs`, the others 5 ms. */
const answers = (requests, errors = 0, { slow = 0, slowMs = 900, begun = requests } = {}) => {
  const latency = LATENCY_BOUNDS_MS.map(() => 0).concat(0);
  latency[LATENCY_BOUNDS_MS.indexOf(5)] = requests - slow;
  latency[LATENCY_BOUNDS_MS.findIndex((bound) => bound >= slowMs)] += slow;
  return { workers: 1, begun, requests, errors, latency };
};

const old = answers(1500);
const slow = (requests, count, slowMs) => answers(requests, 0, { slow: count, slowMs });
const open = (requests, begun) => answers(requests, 0, { begun });
const few = { isTimed: false };

const rows = [
  ['nothing yet', 1000, answers(0), answers(0), 'wait'],
  ['good so far', 60_000, answers(500), old, 'wait'],
  ['good at the end', END, answers(500, 5), old, 'passed'],
  ['no request at all', END, answers(0), answers(0), 'passed', few],
  ['none, and the old many', END, answers(0), old, 'failed', /few .*: 0, the old workers 1500/],
  ['far fewer than its share', END, answers(3), answers(773), 'failed', /few .*: 3, the .* 773/],
  ['a tenth of its share', END, answers(50), old, 'passed'],
  ['few requests', END, answers(20), answers(60), 'passed', few],

  ['two errors of ten may be chance', 5000, answers(10, 2), answers(30), 'wait'],
  ['one error may be chance', END, answers(10, 1), answers(30), 'passed'],
  ['two of a hundred at the end are too many', END, answers(100, 2), answers(300), 'failed'],
  ['but not a reason to end early', 60_000, answers(100, 2), answers(300), 'wait'],
  ['5 % of 100 requests is not certain yet', 20_000, answers(100, 5), answers(300), 'wait'],
  ['5 % of 240 is', 20_000, answers(240, 12), old, 'failed', /5 % of 240 .*, 1 % is allowed/],
  ['all requests fail: three are enough', 2000, answers(3, 3), answers(9), 'failed', /100 %/],
  ['the old workers are as bad', 20_000, answers(240, 48), answers(700, 140), 'wait'],
  ['and at the end too', END, answers(240, 48), answers(700, 140), 'passed'],
  ['worse than the old ones, which are bad', END, answers(240, 72), answers(700, 140), 'failed'],
  ['every request of all of them fails', END, answers(240, 240), answers(700, 700), 'passed'],
  ['without old workers the limit alone counts', END, answers(240, 12), answers(0), 'failed'],

  ['slow', END, slow(500, 25), old, 'failed', /was slow: p99 \d+ms; .*, 15ms is allowed/],
  ['slow before the end', 30_000, slow(500, 500), old, 'wait'],
  ['one slow request', END, slow(100, 1), answers(300), 'passed'],
  ['slow, but so are the old ones', END, slow(500, 25), slow(1500, 75), 'passed'],
  ['three times as slow, and nobody would notice', END, slow(500, 500, 15), old, 'passed'],
  ['all slow, of few', END, slow(30, 30), answers(100), 'passed'],
  ['few of the old ones', END, slow(30, 30), answers(10), 'passed'],

  ['no answers', 20_000, open(0, 20), answers(300), 'failed', /no answer: 100 % of 20/],
  ['a few in flight', 20_000, open(2, 6), answers(300), 'wait'],
  ['a few in flight at the end', END, open(1, 3), answers(30), 'passed'],
  ['streams, as in the old workers', END, open(0, 20), open(0, 60), 'passed'],
];
for (const [name, judgedMs, canary, old, verdict, words] of rows) {
  const three = { ...old, workers: 3 };
  const judged = decide.judgeCanary({ judgedMs, canary, old: three, trouble: null }, RULE);
  t.equal(judged.verdict, verdict, `${name}: ${JSON.stringify(judged)}`);
  if (words) t.match(judged.why ? reasonText(judged.why) : judged, words, name);
}

t.test('what is asked for counts', async (t) => {
  const three = { ...answers(600), workers: 3 };
  for (const [canary, rule, verdict] of [
    [answers(200, 4), {}, 'failed'],
    [answers(200, 4), { max5xx: 0.02 }, 'passed'],
    [answers(200, 2), { max5xx: 0 }, 'failed'],
    [slow(200, 20, 30), {}, 'failed'],
    [slow(200, 20, 30), { maxP99: 10 }, 'passed'],
  ]) {
    const facts = { judgedMs: END, canary, old: three, trouble: null };
    t.equal(decide.judgeCanary(facts, { ...RULE, ...rule }).verdict, verdict, JSON.stringify(rule));
  }
});

t.test('one that is not ready fails at once; latencies count after a while', async (t) => {
  const trouble = { kind: 'hang', ms: 6000 };
  const facts = { judgedMs: 1000, canary: answers(0), old: answers(0), trouble };
  t.same(decide.judgeCanary(facts, RULE), { verdict: 'failed', why: trouble });
  t.equal(decide.warmUpMs(RULE), 10_000);
  t.equal(decide.warmUpMs({ ...RULE, forMs: 8000 }), 2000);
  const state = { own: decide.figuresOf(answers(312, 1)), old: decide.figuresOf(answers(0)) };
  const words =
    'it may replace the others: 312 requests, 0.32 % 5xx, p99 5.0ms (old workers: 0, 0 %, unknown)';
  t.equal(reasonText({ kind: 'judged', mayFollow: true, isTimed: true, ...state }), words);
});

const canaryWith = async (options) => {
  const daemon = { reload: () => ({ apps: [outcome({ action: 'reload' })] }) };
  const { asked, run } = await commandWith(`reload api ${options}`, { daemon });
  await run();
  return asked.find(({ method }) => method === 'reload').params.canary;
};

t.test('what is sent', async (t) => {
  t.same(await canaryWith('--canary 1'), RULE, 'the defaults');
  const all = '--canary 2 --for 1m30s --max-5xx 0.5% --max-p99 1.5x';
  const canary = { instances: 2, forMs: 90_000, max5xx: 0.005, maxP99: 1.5 };
  t.same(await canaryWith(all), canary);
  t.equal(await canaryWith('--parallel 2'), undefined);
});

t.test('what is refused', async (t) => {
  for (const [options, message] of [
    ['--for 2m', /--max-p99 .* need --canary/],
    ['--canary 0', /from 1 up/],
    ['--canary 1 --for 0', /duration such as 30s/],
    ['--canary 1 --for 2d', /at most a day/],
    ['--canary 1 --max-5xx 1', /percentage such as 0.5%/],
    ['--canary 1 --max-p99 0.5', /factor from 1 up/],
  ]) {
    await t.rejects(canaryWith(options), { message }, options);
  }
});

t.test('the canary beside the old workers', async (t) => {
  const state = {
    slots: [0],
    since: 1000,
    forMs: 60_000,
    canary: { requests: 100, errors: 3, p99Ms: 50 },
    old: { requests: 300, errors: 3 },
  };
  t.equal(canary.section({}, 2000), null);
  const { facts } = canary.section({ canary: state }, 16_000);
  t.same(Object.fromEntries(facts), {
    judged: ':0',
    'time left': '45s',
    requests: '100, the old workers 300',
    '5xx': '3 %, the old workers 1 %',
    p99: '50ms, the old workers unknown',
  });
  const waiting = { ...state, slots: [], since: undefined };
  t.match(canary.section({ canary: waiting }, 16_000), { facts: [['judged', 'not online yet']] });
});

t.test('canaries that cannot be judged are taken back', async (t) => {
  const failures = [];
  const channel = { askOnce: () => Promise.reject(new Error('a bug')) };
  const pool = Object.assign(new EventEmitter(), { workers: [{ pid: 1, agent: { channel } }] });
  const logged = [];
  const app = { pool };
  const features = new Features({ canary: judge }, app, '', (line) => logged.push(line));
  const launch = { trials: 0 };
  pool.emit('reload', launch, { canary: RULE }, (failure) => failures.push(failure));
  t.equal(launch.trials, 1);
  while (failures.length === 0) await new Promise(setImmediate);
  t.match(failures, [{ slot: null, reason: { kind: 'unjudged', takenBack: true } }]);
  t.match(logged, [/^canary has failed: .*a bug/]);
  t.same(Object.keys(features.methods), ['end-trial']);
});
