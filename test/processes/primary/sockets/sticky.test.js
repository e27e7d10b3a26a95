/** All connections of one address go to one worker, for as long as that worker serves. */
import t from 'tap';
import { chooseOwn } from '../../../../src/primary/sockets/queues.js';
import { answerOf } from '../../../support/http-ask.js';
import { clientAddress } from '../../../support/http-load.js';
import { until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

const onlyOnLinux = process.platform === 'linux' ? false : 'needs many local addresses';
const CLIENTS = Array.from({ length: 24 }, (_, index) => clientAddress(index));

async function pidFor(port, localAddress) {
  return JSON.parse((await answerOf({ port, localAddress })).body).pid;
}

/** @returns the slot of each client */
async function slotsOf(primary) {
  const { slots } = await primary.state();
  const pids = slots.map(({ pid }) => pid);
  const answers = await Promise.all(CLIENTS.map((client) => pidFor(primary.port, client)));
  return answers.map((pid) => pids.indexOf(pid));
}

t.test('clients keep their slot', { skip: onlyOnLinux }, async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 3, scheduling: 'sticky' });
  const { spec } = primary;
  const first = await slotsOf(primary);
  t.same([...new Set(first)].sort(), [0, 1, 2], 'all workers are used');
  t.same(await slotsOf(primary), first, 'the next connections');

  t.match(await primary.ask('reload', { generation: 2 }), { ok: true, done: [0, 1, 2] });
  t.same(await slotsOf(primary), first, 'after a reload');

  const { pid } = await primary.slot();
  process.kill(pid, 'SIGSTOP');
  const waiting = CLIENTS.map((client) => pidFor(primary.port, client));
  const quick = waiting.filter((_, index) => first[index] !== 0);
  await Promise.all(quick);
  process.kill(pid, 'SIGKILL');
  t.notOk((await Promise.all(waiting)).includes(pid), 'what a killed worker had not taken');
  await until(async () => {
    const { status, pid: next } = await primary.slot();
    return status === 'online' && next !== pid;
  }, 'its successor');
  t.same(await slotsOf(primary), first, 'after a crash they come back');

  t.match(await primary.ask('scale', { spec, slots: [0, 1, 2, 3] }), { ok: true });
  const scaled = await slotsOf(primary);
  for (const [index, slot] of scaled.entries()) t.ok([first[index], 3].includes(slot));
  t.match(await primary.ask('scale', { spec, slots: [0, 1, 2] }), { ok: true });
  t.same(await slotsOf(primary), first, 'after scaling up and down');
});

t.test('a worker that cannot take it is passed over', (t) => {
  const client = {
    getpeername: (out) => Object.assign(out, { address: '192.0.2.7' }),
  };
  const servers = [0, 1, 2].map((slot) => ({ slot, key: 'key', worker: { connected: true } }));
  const own = chooseOwn(client, servers);
  t.ok(own);
  own.worker.connected = false;
  const second = chooseOwn(client, servers);
  t.ok(second && second !== own, 'its channel is closed');
  t.equal(chooseOwn(client, [own]), own, 'there is no other one');
  t.equal(chooseOwn(client, []), null, 'nobody listens');
  t.end();
});
