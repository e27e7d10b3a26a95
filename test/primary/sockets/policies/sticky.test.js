/** All connections of one address go to one worker, for as long as that worker serves. */
import { request } from 'node:http';
import t from 'tap';
import { StickyWorkers } from '../../../../src/primary/sockets/policies/sticky.js';
import { clientAddress } from '../../../support/http-load.js';
import { until, within } from '../../../support/until.js';
import { specOf, startPrimary } from '../../primary-under-test.js';

const onlyOnLinux = process.platform === 'linux' ? false : 'needs many local addresses';
const CLIENTS = Array.from({ length: 24 }, (_, index) => clientAddress(index));

/** @param {number} port @param {string | undefined} localAddress @returns {Promise<number>} */
function pidFor(port, localAddress) {
  const answer = new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', localAddress, agent: false });
    asked.on('error', reject).on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve(JSON.parse(body).pid));
    });
    asked.end();
  });
  return within(answer, 'an answer');
}

/** @param {any} primary @returns {Promise<number[]>} the slot of each client */
async function slotsOf(primary) {
  const { slots } = await primary.state();
  const pids = slots.map(({ pid }) => pid);
  const answers = await Promise.all(CLIENTS.map((client) => pidFor(primary.port, client)));
  return answers.map((pid) => pids.indexOf(pid));
}

t.test('clients keep their slot', { skip: onlyOnLinux }, async (t) => {
  const spec = await specOf('http-pid.cjs', { instances: 3, scheduling: 'sticky' });
  const primary = await startPrimary(t, spec);
  await primary.ask('start');
  const first = await slotsOf(primary);
  t.same([...new Set(first)].sort(), [0, 1, 2], 'all workers are used');
  t.same(await slotsOf(primary), first, 'the next connections');

  t.match(await primary.ask('reload', { generation: 2 }), { ok: true, done: [0, 1, 2] });
  t.same(await slotsOf(primary), first, 'after a reload');

  const [{ pid }] = (await primary.state()).slots;
  process.kill(pid, 'SIGSTOP');
  const waiting = CLIENTS.map((client) => pidFor(primary.port, client));
  const quick = waiting.filter((_, index) => first[index] !== 0);
  await Promise.all(quick);
  process.kill(pid, 'SIGKILL');
  t.notOk((await Promise.all(waiting)).includes(pid), 'what a killed worker had not taken');
  await until(async () => {
    const { status, pid: next } = (await primary.state()).slots[0];
    return status === 'online' && next !== pid;
  }, 'its successor');
  t.same(await slotsOf(primary), first, 'after a crash they come back');

  t.match(await primary.ask('scale', { spec, slots: [0, 1, 2, 3] }), { ok: true });
  const scaled = await slotsOf(primary);
  for (const [index, slot] of scaled.entries()) t.ok([first[index], 3].includes(slot));
  t.match(await primary.ask('scale', { spec, slots: [0, 1, 2] }), { ok: true });
  t.same(await slotsOf(primary), first, 'after scaling up and down');
});

/** @param {object[]} servers that listen, oldest first */
function sender(servers) {
  const sticky = new StickyWorkers(/** @type {any} */ ({ serversAt: () => servers }));
  const listener = { getsockname: (out) => Object.assign(out, { address: '::', port: 1 }) };
  return sticky.at(/** @type {any} */ (listener));
}

/** @param {number} slot @param {boolean} [connected] */
function server(slot, connected = true) {
  const sent = [];
  const worker = { connected, send: (message) => sent.push(message) };
  return { slot, key: 'key', worker, sent };
}

t.test('a worker that cannot take it is passed over', async (t) => {
  const client = /** @type {any} */ ({
    getpeername: (out) => Object.assign(out, { address: '192.0.2.7' }),
  });
  const all = [server(0), server(1), server(2)];
  const first = sender(all)?.send(client, null);
  const own = all.find(({ worker }) => worker === first);
  t.match(own?.sent, [{ cmd: 'NODE_CLUSTER', act: 'newconn', key: 'key', seq: -1 }]);
  const second = sender(all)?.send(client, /** @type {any} */ (first));
  t.ok(second && second !== first, 'it has refused this connection');
  own.worker.connected = false;
  t.equal(sender(all)?.send(client, null), second, 'its channel is closed');
  t.equal(sender([own])?.send(client, null), first, 'there is no other one');
  t.equal(sender([])?.send(client, null), null, 'nobody listens');
  const path = new StickyWorkers(/** @type {any} */ ({})).at(/** @type {any} */ ({}));
  t.equal(path, null, 'a unix socket has no addresses');
});
