import t from 'tap';
import { EventEmitter } from 'node:events';
import { degraded, WorkerHistory } from '../../../src/features/degraded/primary.js';

/** @param {number} answered @param {number} [errors] */
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
  const grow = (/** @type {number} */ second) => {
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

t.test('two equal leaks are counted twice as soon as one of them is certain', async (t) => {
  let nowMs = 0;
  t.intercept(performance, 'now', { value: () => nowMs });
  const pool = Object.assign(new EventEmitter(), { workers: new Map() });
  const replacements = { failuresOf: () => null };
  const { methods } = degraded(/** @type {any} */ ({ pool, replacements }));
  const workers = [1, 2, 3].map((pid) => {
    const agent = { channel: new EventEmitter(), load: load(0) };
    const worker = Object.assign(new EventEmitter(), { pid, status: 'online', agent, output: {} });
    pool.workers.set(pid, worker);
    pool.emit('worker', worker);
    return worker;
  });
  t.teardown(() => pool.workers.clear());
  const loads = () => /** @type {any} */ (methods).loads({}).workers;
  const isLeaking = () => loads().some((/** @type {any} */ each) => each.degraded === 'memory');
  for (let second = 0; second <= 240 && !isLeaking(); second += 2) {
    nowMs = second * 1000;
    for (const { pid, agent } of workers) {
      // The second one collects its garbage only now and then, the third does not leak.
      const saw = pid === 2 ? (second % 70) / 3 : 0;
      const mebibytes = 50 + (pid === 3 ? 0 : second / 4) + saw;
      Object.assign(agent.load, { bytes: mebibytes * 1024 * 1024 });
      agent.channel.emit('beat');
    }
  }
  const [certain, equal, other] = loads();
  t.match([certain, equal, other], [{ degraded: 'memory' }, {}, {}]);
  t.same([equal.degraded, other.memoryGrowth], [undefined, undefined]);
  const mebibytes = [certain, equal].map(({ memoryGrowth }) => memoryGrowth / 1024 ** 2);
  t.ok(
    mebibytes.every((each) => each > 10 && each < 20),
    mebibytes.join(),
  );
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

t.test('the last block of its event loop, for five minutes', async (t) => {
  let nowMs = 1000;
  const history = new WorkerHistory(() => nowMs);
  t.equal(history.load.lastBlock, undefined);
  history.noteBlock(61_000);
  nowMs += 290_000;
  t.equal(history.load.lastBlock?.ms, 61_000);
  nowMs += 20_000;
  t.equal(history.load.lastBlock, undefined);
});

t.test('since when requests wait and none is answered', async (t) => {
  let nowMs = 0;
  const history = new WorkerHistory(() => nowMs);
  /** @param {number} second @param {number} answered @param {number} oldest in seconds */
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
