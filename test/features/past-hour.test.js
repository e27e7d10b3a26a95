import { EventEmitter } from 'node:events';
import t from 'tap';
import { pastHour as ofDaemon } from '../../src/features/past-hour/daemon.js';
import { Past, pastHour as ofPrimary } from '../../src/features/past-hour/primary.js';
import { pastFrames } from '../../src/show/past.js';

const none = null;
const beatAt = (atMs, fields) => {
  return { atMs, cpuMs: 0, busyMs: 0, bytes: 1024, answered: 0, errors: 0, ...fields };
};

t.test('each step has the rates of its time', async (t) => {
  const past = new Past();
  past.note(beatAt(5000), beatAt(15_000, { cpuMs: 2500, busyMs: 1000, answered: 20, errors: 5 }));
  const { cpu, ...others } = past.until(1, 1);
  t.same([cpu.length, ...cpu.slice(-2)], [359, none, 25]);
  t.equal(past.until(0, 1).cpu.length, 359, 'as many when one more has begun');
  const last = Object.values(others).map((steps) => steps.at(-1));
  t.same(last, [1024, 0.1, 2, 0.5]);
});

t.test('one that was blocked was busy in all steps for which it says so later', async (t) => {
  const past = new Past();
  past.note(beatAt(5000), beatAt(45_000, { busyMs: 40_500, cpuMs: 10_000 }));
  t.same(past.until(6, 1).elu.slice(-7), [none, 1, 1, 1, 1, none, none]);
  t.same(past.until(6, 2).cpu.slice(-4), [none, 25, 25, none], 'of two steps one');
  past.note(beatAt(60_000), beatAt(5_000_000, { busyMs: 1 }));
  t.notOk(past.until(500, 1).elu.includes(none), 'longer than all steps');
  t.notOk(past.until(900, 1).elu.some(Number), 'an hour later');
});

t.test('a worker, and its successor in the slot', async (t) => {
  const pool = Object.assign(new EventEmitter(), { slots: new Map() });
  const { methods } = ofPrimary({ pool }, '', (own) => own);
  const report = () => methods['past-hour']({ every: 1 });
  t.match(report(), { everyMs: 10_000, workers: [] });
  let nowMs = 0;
  t.intercept(performance, 'now', { value: () => nowMs });
  for (const beats of [
    { 1000: 0, 11_000: 100, 21_000: 'forged' },
    { 31_000: 9000, 41_000: 9500 },
  ]) {
    const [old, main] = [1, 2].map(() => ({
      ...{ slot: 3, agent: { channel: new EventEmitter(), load: beatAt(0) } },
    }));
    pool.slots.set(3, { mainWorker: main });
    for (const worker of [main, old]) pool.emit('worker', worker);
    for (const [atMs, cpuMs] of Object.entries(beats)) {
      nowMs = Number(atMs);
      main.agent.channel.emit('beat', { cpuMs, busyMs: 0 });
      old.agent.channel.emit('beat', { cpuMs: 0, busyMs: 0 });
    }
  }
  pool.emit('worker', { slot: 0, agent: null });
  t.same(report().workers[0].cpu.slice(-3), [1, none, none], 'the last step is not over');
  nowMs = 51_000;
  const { everyMs, workers } = report();
  t.same([everyMs, workers.map(({ slot }) => slot)], [10_000, [3]]);
  t.same(workers[0].cpu.slice(-5), [none, 1, none, none, 5]);
  nowMs += 3600_000;
  t.notOk(report().workers[0].cpu.some(Number), 'nothing of an hour is left');
});

const app = (name, past) => ({ name, workers: [{ slot: 0 }], pastHour: past });
const steps = (...values) => [...Array(360 - values.length).fill(none), ...values];
const figures = { cpu: steps(10, 20), memory: steps(5, 6), elu: steps(0.5, 1) };
const rates = { requestsPerSecond: steps(3, 4), errorsPerSecond: steps(0.2, 0.4) };
const worker = { slot: 0, ...figures, ...rates };
const past = { at: 7_200_000, everyMs: 10_000, workers: [worker] };

t.test('a list has it on demand, of many workers fewer steps', async (t) => {
  const replies = [async () => past, async () => Promise.reject(new Error('silent'))];
  const echo = async (_method, params) => params;
  const apps = [...replies, echo].map((request) => ({
    slots: Array(20).fill(0),
    link: { request },
  }));
  for (const [fields, ...expected] of [
    [['usage'], undefined, undefined, undefined],
    [['pastHour'], past, undefined, { every: 2 }],
  ]) {
    const records = apps.map(() => ({}));
    const add = await ofDaemon().measure(apps, fields);
    apps.forEach((each, index) => add(each, records[index]));
    const found = records.map(({ pastHour }) => pastHour);
    t.same(found, expected);
  }
});

t.test('as records of the apps at that time', async (t) => {
  t.same(pastFrames([app('fork')]), []);
  const early = pastFrames([app('api', past), app('fork', { ...past, at: past.at - 7000 })]);
  t.equal(early.at(-1).apps[1].workers[0].cpu, 20, 'another primary, at another phase');
  const [first, second, ...more] = pastFrames([app('api', past), app('fork')]);
  t.same([first.at, second.at, more], [7_190_000, 7_200_000, []]);
  const expected = { slot: 0, status: 'online', cpu: 10, memory: 5, requests: { errors: 2 } };
  t.match(first.apps, [{ workers: [expected] }, { workers: [{ status: 'stopped' }] }]);
  const busy = { cpu: 20, elu: 1, requestsPerSecond: 4, requests: { errors: 6 } };
  t.match(second.apps, [{ workers: [busy] }, { workers: [{ status: 'stopped' }] }]);
});
