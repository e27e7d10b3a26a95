import t from 'tap';
import { answerFor } from '../../../src/clients/balancer/answer.js';

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
