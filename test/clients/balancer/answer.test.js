import t from 'tap';
import { answerFor, steer, weightOfReady } from '../../../src/clients/balancer/answer.js';

const online = { status: 'online', isReady: true, elu: 0.1 };
const unhealthy = { ...online, isReady: false, health: { status: 'unhealthy' } };
const worker = (status) => ({ status, isReady: false });

t.test('the line for HAProxy', async (t) => {
  const rows = [
    ['up 100%', [online, online]],
    ['up 50%', [online, worker('backoff')]],
    ['up 32%', [{ ...online, elu: 0.75 }]],
    ['up 100%', [{ status: 'online', isReady: true }], { name: 'not measured' }],
    ['up 50%', [online, worker('draining')], { busy: 'stop' }, 'one worker is stopped'],
    ['up 0%', [unhealthy, unhealthy], { busy: 'stop' }, 'not ready before it drains'],
    ['up 0%', [worker('draining'), worker('stopped')], { status: 'draining', busy: 'stop' }],
    ['up 0%', [worker('stopping')], { status: 'stopping' }, 'delete'],
    ['stopped #api is stopped', [worker('stopped')], { status: 'stopped' }],
    ['down #no worker of api is ready (starting)', [worker('starting')], { status: 'starting' }],
    ['down #no worker of api is ready (errored)', [worker('errored')], { status: 'errored' }],
    ['down #no worker of api is ready (unhealthy)', [unhealthy], {}],
    ['', [worker('unknown')], { status: 'unknown' }],
  ];
  for (const [line, workers, more = {}, name = line] of rows) {
    const app = { status: 'online', busy: null, workers, ...more };
    t.equal(answerFor('api', app, null, 0).answer.line, line, name);
  }
  t.equal(answerFor('api', undefined, null, 0).answer.line, 'fail #there is no app api');
});

t.test('what the last answer knew', async (t) => {
  const before = { atMs: 0, load: 1, percent: 10, weight: 10 };
  const answer = (workers, status = 'online') =>
    answerFor('api', { status, busy: null, workers }, before, 2000);
  t.same(answer([{ ...online, elu: 0 }]).steering.weight, 14, 'the weight rises slowly');
  t.equal(answer([{ ...online, elu: null }]).steering.load, 1, 'not measured: the load stays');
  t.equal(answer([worker('stopped')], 'stopped').steering, null, 'the next start begins anew');
  t.equal(answer([worker('unknown')], 'unknown').steering, before);
});

const INTERVAL_MS = 2000;

/** @param {number[]} loads one for each answer @returns {number[]} the weights that were passed on */
function weightsOf(loads) {
  let before = null;
  return loads.map((load, index) => (before = steer(before, load, index * INTERVAL_MS)).weight);
}

t.test('the first answer, and after a pause', async (t) => {
  const rows = [
    [0, 100],
    [0.5, 100],
    [0.6, 63],
    [0.75, 32],
    [0.9, 16],
    [1, 10],
    [1.2, 10],
  ];
  for (const [load, weight] of rows) {
    t.equal(steer(null, load, 0).weight, weight, String(load));
    t.equal(steer(steer(null, 0, 0), load, 31_000).weight, weight, `${load} after a pause`);
  }
});

t.test('a new load counts slowly, and small changes are not passed on', async (t) => {
  const idle = Array(3).fill(0.2);
  t.same(weightsOf([...idle, 1, 0.2, 0.2]).slice(3), [100, 100, 100], 'one busy moment');
  const overloaded = weightsOf([...idle, ...Array(10).fill(1)]).slice(3);
  t.same(overloaded, [100, 100, 76, 55, 40, 30, 25, 21, 18, 18]);
  t.same(weightsOf([1, ...Array(9).fill(0)]), [10, 14, 19, 26, 35, 48, 66, 90, 100, 100]);
  const noisy = weightsOf([0.7, 0.72, 0.69, 0.71, 0.7, 0.68, 0.72]);
  t.same(noisy, Array(7).fill(noisy[0]), 'noise');
});

t.test('three machines that share a load settle', async (t) => {
  const rows = [
    // Requests in units of what one machine can do, and what else each of them does.
    { requests: 1.2, other: [0, 0, 0] },
    { requests: 2.2, other: [0, 0, 0] },
    { requests: 2.7, other: [0, 0, 0] },
    { requests: 4, other: [0, 0, 0] },
    { requests: 1.2, other: [0.9, 0, 0] },
  ];
  for (const { requests, other } of rows) {
    let states = [null, null, null];
    let shares = [1 / 3, 1 / 3, 1 / 3];
    const history = [];
    for (let turn = 0; turn < 90; turn += 1) {
      const loads = shares.map((share, machine) => {
        const noise = Math.sin(turn * 7 + machine * 3) / 20;
        return Math.min(1, Math.max(0, requests * share + other[machine] + noise));
      });
      states = states.map((state, machine) => steer(state, loads[machine], turn * INTERVAL_MS));
      const sum = states.reduce((total, { weight }) => total + weight, 0);
      shares = states.map(({ weight }) => weight / sum);
      history.push(shares);
    }
    const late = history.slice(45);
    const name = `${requests} requests, beside ${other}`;
    for (const machine of [0, 1, 2]) {
      const own = late.map((turn) => turn[machine]);
      t.ok(Math.max(...own) - Math.min(...own) < 0.1, `${name}: the share of ${machine} is steady`);
    }
    const [first, second, third] = late.at(-1);
    if (other[0] > 0) t.ok(first < 0.2, `${name}: the busy one gets ${first}`);
    else t.ok(Math.max(first, second, third) < 0.4, `${name}: all get about the same`);
  }
});

t.test('workers that are missing', async (t) => {
  const rows = [
    [100, 4, 4, 100],
    [100, 3, 4, 75],
    [50, 2, 4, 25],
    [10, 1, 64, 1],
    [100, 5, 4, 100],
  ];
  for (const [weight, ready, desired, expected] of rows) {
    t.equal(weightOfReady(weight, { ready, desired }), expected, `${ready} of ${desired}`);
  }
});
