import t from 'tap';
import { crashOf, degraded as ofDaemon } from '../../src/features/degraded/daemon.js';
import * as decide from '../../src/features/degraded/decide.js';
import { WorkerHistory } from '../../src/features/degraded/primary.js';
import { judgeWear, withJitter } from '../../src/features/wear/primary.js';
import { exit } from '../support/snapshot.js';
import { reasonText } from '../../src/show/reason.js';

const fine = { oldestMs: 0, answered: 100, errors: 0 };
const bad = { oldestMs: 0, answered: 40, errors: 40 };
const files = { open: 1490, limit: 1500 };
const failedReplacement = { count: 3, reason: exit(1) };

const rows = [
  ['nothing is wrong', fine, null, null],
  ['a request that is young', { ...fine, oldestMs: 4999 }, null, null],
  ['a request without an answer', { ...fine, oldestMs: 5000 }, null, 'waits'],
  ['clients that give up', { ...fine, oldestMs: 3000, unansweredMs: 5000 }, null, 'waits'],
  ['it answers only 5xx', bad, null, 'errors'],
  ['many', { ...fine, errors: 10 }, null, 'errors'],
  ['some', { ...fine, errors: 9 }, null, null],
  ['still some', { ...fine, errors: 9 }, 'errors', 'errors'],
  ['few after many', { ...fine, errors: 4 }, 'errors', null],
  ['few answers say nothing', { oldestMs: 0, answered: 9, errors: 8 }, null, null],
  ['but if all are wrong', { oldestMs: 0, answered: 3, errors: 3 }, null, 'errors'],
  ['few that are wrong after many', { oldestMs: 0, answered: 6, errors: 6 }, 'errors', 'errors'],
  ['few that are right after many', { oldestMs: 0, answered: 6, errors: 0 }, 'errors', null],
  ['no answer after many', { oldestMs: 0, answered: 0, errors: 0 }, 'errors', 'errors'],
  ['memory that only grows', { ...fine, memoryGrowth: 1 }, null, 'memory'],
  ['no file can be opened', { ...fine, files, memoryGrowth: 1 }, null, 'files'],
  ['what cannot be replaced', { ...fine, failedReplacement, memoryGrowth: 1 }, null, 'replacement'],
  ['first of all the request', { ...bad, oldestMs: 9000, memoryGrowth: 1 }, null, 'waits'],
  ['unless no file can be opened', { ...bad, oldestMs: 9000, files }, null, 'files'],
];

t.test('the verdict, and when it is failing', async (t) => {
  for (const [what, facts, before, verdict] of rows)
    t.equal(decide.judgeLoad(facts, before), verdict, what);
  t.notOk(decide.isFailing('waits', { ...fine, unansweredMs: 29_999 }));
  t.ok(decide.isFailing('waits', { ...fine, unansweredMs: 30_000 }));
  t.notOk(decide.isFailing('errors', { answered: 100, errors: 89 }));
  t.ok(decide.isFailing('errors', { answered: 100, errors: 90, unansweredMs: 0 }));
  t.notOk(decide.isFailing('errors', { answered: 0, errors: 0 }));
  t.notOk(decide.isFailing(null, bad));
});

const MIB = 1024 * 1024;
/** What is kept of one every five seconds. */
const samples = (seconds, mebibytes) => {
  let kept = [];
  for (let second = 0; second <= seconds; second += 5)
    kept = decide.withSample(kept, { atMs: second * 1000, bytes: mebibytes(second) * MIB });
  return kept;
};
const saw = (second) => (second % 20) * 2;

t.test('memory that only grows', async (t) => {
  t.equal(decide.growthOf([]), undefined);
  for (const [what, seconds, mebibytes] of [
    ['not watched for long enough', 170, (second) => 50 + second / 4],
    ['not for a minute, however fast', 55, (second) => 50 + 9 * second],
    ['it warms up in a minute', 175, (second) => 50 + 2 * Math.min(60, second)],
    ['constant', 200, () => 50],
    ['a saw', 200, (second) => 50 + saw(second)],
    ['too little of all', 200, (second) => 500 + second / 10],
    ['too little', 200, (second) => 60 + second / 100],
    ['it has warmed up', 200, (second) => 50 + Math.min(second, 100)],
    ['it warms up slowly', 200, (second) => 50 + second / 25],
    ['it warms up fast', 200, (second) => 50 + 2 * Math.min(60, second)],
  ]) {
    t.equal(decide.growthOf(samples(seconds, mebibytes)), undefined, what);
  }
  for (let seconds = 180; seconds <= 600; seconds += 5) {
    const growth = decide.growthOf(samples(seconds, (second) => 50 + 1.4 * second));
    t.ok(growth, `and as long as it goes on: ${seconds} s`);
  }
  for (let seconds = 60; seconds <= 175; seconds += 5)
    t.ok(
      decide.growthOf(
        samples(seconds, (second) => 50 + 9 * second),
        seconds > 60,
      ),
      'a fast one',
    );
  const small = samples(200, (second) => 900 + second / 2);
  t.ok(decide.growthOf(small), 'much, but a small part of all');
  const slower = samples(200, (second) => 70 + second / 12);
  t.equal(decide.growthOf(slower), undefined, 'too little to begin with');
  t.ok(decide.growthOf(slower, true), 'enough to go on');
  const leak = decide.growthOf(samples(200, (second) => 50 + second / 4 + saw(second)));
  t.ok(Math.abs(Number(leak) / MIB - 15) < 2, `${leak} bytes a minute`);
});

t.test('a slow leak is named as soon as it has become much', async (t) => {
  const named = (mebibytes) => {
    let seen = [];
    for (let second = 0; second <= 3600; second += 5) {
      seen = decide.withSample(seen, { atMs: second * 1000, bytes: mebibytes(second) * MIB });
      const growth = decide.growthOf(seen);
      if (growth) return [Math.round(second / 60), Math.round(growth / MIB)];
    }
    return null;
  };
  const rows = /** @type {[string, (second: number) => number, number[] | null][]} */ ([
    ['8 MiB a minute', (second) => 60 + (second * 8) / 60 + saw(second), [5, 9]],
    ['1.5 MiB a minute', (second) => 60 + (second * 1.5) / 60 + saw(second), [24, 2]],
    ['too little', (second) => 60 + (second * 0.5) / 60 + saw(second), null],
    ['it has warmed up', (second) => 60 + Math.min(40, second) + second / 1000, null],
    ['it fills a cache', (second) => 60 + Math.min(15, second / 20), null],
  ]);
  for (const [what, mebibytes, expected] of rows) t.strictSame(named(mebibytes), expected, what);
});

t.ok(samples(36_000, () => 50).length < 200, 'old samples go');

t.test('which exit is a crash', async (t) => {
  const [lastExit, ...earlierExits] = [{ at: 99_000, isExcused: true }, { at: 75_000 }, { at: 9 }];
  const crashAt = (now) => crashOf({ status: 'online', lastExit, earlierExits }, now).crash?.at;
  t.same([crashAt(100_000), crashAt(136_000)], [75_000, undefined]);
  t.equal(crashOf({ status: 'errored', lastExit, earlierExits }, 136_000).troubleSince, 9);
  const status = 'exited';
  t.same(crashOf({ status, lastExit: { at: 1 }, earlierExits }, 2), {}, 'it has done its work');
});

const load = (answered, errors = 0) => ({ bytes: 1, open: 1, oldestMs: 0, answered, errors });

t.test('counts are those of the last minute', async (t) => {
  let nowMs = 0;
  const history = new WorkerHistory(() => nowMs);
  t.equal(history.load.requests, undefined);
  for (let second = 0; second <= 300; second += 2) {
    nowMs = second * 1000;
    history.note(load(second * 10, second));
    if (second === 40)
      t.match(history.load.requests, { answered: 400, errors: 40 }, 'since its start');
  }
  t.match(history.load.requests, { open: 1, oldestSince: undefined, answered: 600, errors: 60 });
  nowMs += 45_000;
  t.match(history.load.requests, { answered: 160, errors: 16 }, 'it is blocked');
  nowMs += 15_000;
  t.match(history.load.requests, { answered: 0, errors: 0 }, 'for longer');
});

t.test('a leak does not end with a collection of garbage', async (t) => {
  let nowMs = 0;
  const history = new WorkerHistory(() => nowMs);
  const grow = (second) => {
    nowMs = second * 1000;
    const isCollected = second > 230 && second <= 260;
    const mebibytes = second > 300 ? 140 : 50 + second / 3 - (isCollected ? 20 : 0);
    history.note({ ...load(0), bytes: mebibytes * 1024 * 1024 });
    history.verdict = history.load.memoryGrowth === undefined ? null : 'memory';
    return history.verdict;
  };
  const verdicts = Array.from({ length: 500 }, (_, second) => grow(second));
  const since = verdicts.indexOf('memory');
  t.ok(since > 0 && since < 200, `seen after ${since} s`);
  const until = verdicts.lastIndexOf('memory');
  t.notOk(verdicts.slice(since, until).includes(null), 'without interruption');
  t.ok(until > 300 && until < 500, `over after ${until} s`);
});

t.test('what a program forges', async (t) => {
  let nowMs = 0;
  const history = new WorkerHistory(() => nowMs);
  for (; nowMs < 200_000; nowMs++) history.note(load(nowMs));
  const { answered } = history.load.requests;
  t.ok(answered >= 59_000 && answered <= 62_000, `${answered}: however often it reports`);
  history.note(load(3, 1));
  t.match(history.load.requests, { answered: 0, errors: 1 }, 'fewer than before');
});

t.test('since when requests wait and none is answered', async (t) => {
  let nowMs = 0;
  const history = new WorkerHistory(() => nowMs);
  const silentFor = (second, answered, oldest) => {
    nowMs = second * 1000;
    history.note({ ...load(answered), oldestMs: oldest * 1000 });
    const { unansweredSince } = history.load.requests ?? {};
    return unansweredSince && Math.round((Date.now() - unansweredSince) / 1000);
  };
  t.equal(silentFor(2, 0, 0), undefined);
  t.equal(silentFor(4, 0, 2), 2, 'it has answered nothing so far');
  t.equal(silentFor(10, 5, 8), 0, 'others are answered');
  t.equal(silentFor(40, 5, 38), 30, 'since the last answer');
  t.equal(silentFor(50, 5, 10), 40, 'clients give up, others come');
  t.equal(silentFor(60, 5, 0), undefined);
  t.equal(silentFor(400, 5, 12), 12, 'without requests, nothing is to be answered');
});

t.test('what the daemon knows of a worker', async (t) => {
  const late = () => Promise.reject(new Error('timed out'));
  const failing = async () => ({ workers: [{ pid: 7, degraded: 'errors' }] });
  const good = async () => ({ workers: [{ pid: 7 }] });
  for (const [request, state, status, expected] of [
    [failing, 'connected', 'online', 'errors'],
    [good, 'connected', 'online', undefined],
    [late, 'connected', 'online', 'unknown'],
    [late, 'connected', 'backoff', undefined],
    [late, 'unknown', 'unknown', undefined],
  ]) {
    const app = { link: { state, request } };
    const worker = { pid: 7, status };
    const add = await ofDaemon().measure([app], ['usage']);
    add(app, { workers: [worker] });
    t.equal(worker.degraded, expected, `${request.name}, ${state}, ${status}`);
  }
});

const MB = 1024 ** 2;
const LARGE = { maxMemoryRestartBytes: 100 * MB };
const NONE = { maxRequests: null, maxAgeMs: null, maxMemoryRestartBytes: null };
const NEW = { requests: 0, ageMs: 0, memory: null };
const TOO_LARGE = 'used more memory than its max_memory_restart of 100M';

const worn = [
  ['nothing is limited', {}, { requests: 1e9, ageMs: 1e12, memory: 1e12 }, null],
  ['few requests', { maxRequests: 1000 }, { requests: 999 }, null],
  ['enough of them', { maxRequests: 1000 }, { requests: 1000 }, 'answered 1,000 requests'],
  ['young', { maxAgeMs: 60_000 }, { ageMs: 59_999 }, null],
  ['old', { maxAgeMs: 60_000 }, { ageMs: 60_000 }, 'reached the age of 1m'],
  ['small', LARGE, { memory: 99 * MB }, null],
  ['just as large', LARGE, { memory: 100 * MB }, null],
  ['too large', LARGE, { memory: 101 * MB }, TOO_LARGE],
  ['not known is not too large', LARGE, { memory: null }, null],
  ['old, and too large', { maxAgeMs: 1000, ...LARGE }, { ageMs: 10, memory: 200 * MB }, TOO_LARGE],
];
for (const [name, limits, wear, how] of worn) {
  const reason = judgeWear({ ...NEW, ...wear }, { ...NONE, ...limits });
  t.equal(reason && reasonText(reason), how, name);
}

t.test('jitter', async (t) => {
  const limits = { maxRequests: 1000, maxAgeMs: 1, ...LARGE };
  const jittered = [0, 0.5, 0.999].map((random) => withJitter(limits, random).maxRequests);
  t.same(jittered, [900, 1000, 1100]);
  t.match(withJitter(limits, 0), { maxAgeMs: 1, ...LARGE });
  t.strictSame(withJitter(NONE, 0.3), NONE, 'what is not limited stays so');
});
