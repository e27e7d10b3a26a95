import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { Admission } from '../../../src/primary/sockets/admission.js';
import { FairAddress } from '../../../src/primary/sockets/fair-address.js';
import { FairSharing } from '../../../src/primary/sockets/fair-sharing.js';
import { handedTo } from '../../../src/primary/sockets/leases.js';
import { Queues, chooseFree } from '../../../src/primary/sockets/queues.js';
import { AGENT_CMD, channelTo } from '../../../src/primary/worker/channel.js';
import { forkIdle } from '../../support/idle-child.js';
import { rawConnection } from '../../support/traffic/raw-connection.js';
import { within, until } from '../../support/until.js';

const RULES = { holdTimeoutMs: () => 1000, isTakingTurns: () => false };

t.test('a confirmation does not wait behind a connection for the same worker', async (t) => {
  const child = forkIdle(t);
  await once(child, 'spawn');
  child.kill('SIGSTOP');
  let given = () => {};
  const isGiven = new Promise((resolve) => (given = resolve));
  const queues = {
    admission: { onChange: new Set(), serversAt: () => [] },
    open: () => ({ isIdle: true, give: given, close: () => {} }),
  };
  const sharing = new FairSharing(queues, RULES);
  sharing.join(child);
  sharing.listens(child, 'key', null);
  handedTo(child).send('key', await rawConnection(), { onEnd: () => {}, onOverdue: null });
  const client = await rawConnection();
  const message = { key: 'key', seq: 1, leaseMs: Infinity, open: 1, waiting: 0 };
  channelTo(child).onConnection(message, client);
  t.equal(await within(isGiven, 'the connection to be given to another worker'), client);
  t.ok(sharing.isIdle);
  client.close();
});

t.test('limits do not wait behind a connection, so the latest comes last', async (t) => {
  const queue = [];
  const sent = [];
  const send = (message) => sent.push([message, worker._handleQueue]);
  const worker = Object.assign(new EventEmitter(), { connected: true, _handleQueue: queue, send });
  const sharing = new FairSharing(new Queues(new Admission()), RULES);
  sharing.listens(worker, 'key', null);
  sharing.listens(new EventEmitter(), 'key', null);
  sharing.sendLimits(worker, ['key', 'another']);
  sharing.sendLimits(worker, ['key']);
  t.match(sent, [[{ type: 'connection-limits', limits: { key: null } }, null]], 'once');
  t.equal(worker._handleQueue, queue);
});

t.test('what a worker reports with a heartbeat counts', async (t) => {
  const [worker, next] = [0, 1].map(() => Object.assign(new EventEmitter(), { connected: false }));
  const servers = [worker, next].map((each, slot) => ({ worker: each, slot, key: 'key' }));
  const queues = {
    admission: { onChange: new Set(), serversAt: () => servers },
    open: () => ({ isIdle: true, close: () => {} }),
  };
  const sharing = new FairSharing(queues, RULES);
  sharing.join(worker);
  sharing.listens(worker, 'key', null);
  worker.emit('internalMessage', { cmd: AGENT_CMD, type: 'beat', connections: { key: 30 } });
  t.equal(sharing.listens(next, 'key', null), 17, 'the limit is half of them, and some slack');
});

const KEY = 'null:80:4:-1';

/** Acknowledges nothing. */
class Worker extends EventEmitter {
  connected = true;
  send() {}
}

/** What listens in one slot each, and is asked again when it is free. */
function joined(admission, queues, workers) {
  for (const [slot, worker] of workers.entries()) {
    admission.join({ worker, slot, isAdmitted: true }).listens(KEY, KEY);
    handedTo(worker).onFree.add(() => queues.takeTurns());
  }
  return workers;
}

t.test('what waits for a worker is closed in time, each time', async (t) => {
  const closed = new EventEmitter();
  const rules = { ...RULES, holdTimeoutMs: () => 1 };
  const address = new FairAddress(KEY, { queues: new Queues(new Admission()), rules });
  for (const which of ['the first', 'the next']) {
    const isClosed = once(closed, 'one');
    address.queue.give({ close: () => closed.emit('one') });
    address.look();
    await within(isClosed, `${which} connection to be closed`);
    t.ok(address.queue.isIdle, which);
  }
});

t.test('a connection that may not be taken back does not count for another worker', async (t) => {
  const admission = new Admission();
  const queues = new Queues(admission);
  const [late] = joined(admission, queues, [new Worker(), new Worker()]);
  let overdue = () => {};
  handedTo(late).send = (_key, _client, { onOverdue }) => {
    overdue = onOverdue;
    return { state: 'sent' };
  };
  const sentTo = [];
  const queue = queues.open({
    address: KEY,
    choose: (_client, servers) => servers[sentTo.length],
    onSent: (worker) => sentTo.push(worker),
    takesBack: true,
  });
  queue.give({ close: () => {} });
  overdue();
  t.ok(sentTo.length === 1 && sentTo[0] === late);
  t.equal(queues.givenUp, 0);
});

// A burst on a busy machine, where every worker seems late: no worker ends with most of it.

const BURST = 80;
/** Longer than the time in which a worker must acknowledge a connection. */
const SLOW_MS = 70;
/** Surplus that is not confirmed. */
const MAX_SENT = 16;

/** Does what the agent does, once in SLOW_MS. */
class SlowWorker extends EventEmitter {
  connected = true;
  open = 0;
  limit = Infinity;
  /** Connections that it has accepted beyond its limit. */
  waiting = 0;
  #sent = 0;
  #seq = 0;
  #inbox = [];

  constructor() {
    super();
    this.turns = setInterval(() => this.#turn(), SLOW_MS);
    // As that of a child process: the primary looks whether it is empty.
    Object.assign(this, { [Symbol('kChannelHandle')]: { bytesRead: 0 } });
  }

  send(message, ...rest) {
    this.#inbox.push(message);
    for (const each of rest) if (typeof each === 'function') setImmediate(each);
  }

  /** @param count connections that it finds in the kernel's queue */
  accept(count) {
    this.waiting += count;
    this.#settle();
  }

  #turn() {
    for (const { act, type, seq, kept, limits, latest } of this.#inbox.splice(0)) {
      if (act === 'newconn') {
        this.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: true });
        this.emit('internalMessage', { cmd: AGENT_CMD, type: 'late', asked: [seq] });
      }
      if (type === 'decided' && kept.length === 0) this.open += 1;
      if (latest !== undefined) this.#sent = this.#seq - latest;
      if (limits?.[KEY] !== undefined) this.limit = limits[KEY] ?? Infinity;
    }
    this.#settle();
  }

  #settle() {
    while (this.waiting > 0 && this.open < this.limit) {
      this.waiting -= 1;
      this.open += 1;
    }
    while (this.waiting > 0 && this.#sent < MAX_SENT) {
      this.waiting -= 1;
      this.#sent += 1;
      const { open, waiting } = this;
      const message = { key: KEY, seq: ++this.#seq, leaseMs: Infinity, open, waiting };
      channelTo(this).onConnection(message, { close: () => {} });
    }
  }
}

t.test('one worker accepts all of it', async (t) => {
  const admission = new Admission();
  const queues = new Queues(admission);
  const sharing = new FairSharing(queues, RULES);
  const workers = [0, 1, 2, 3].map((slot) => {
    const worker = new SlowWorker();
    t.teardown(() => clearInterval(worker.turns));
    const member = admission.join({ worker, slot, isAdmitted: true });
    handedTo(worker).onFree.add(() => queues.takeTurns());
    sharing.join(worker);
    member.listens(KEY, KEY);
    worker.limit = sharing.listens(worker, KEY, null) ?? 2;
    return worker;
  });
  workers[0].accept(BURST);
  const total = () => workers.reduce((sum, { open }) => sum + open, 0);
  await until(() => total() === BURST, 'all to be served');
  const shares = workers.map(({ open }) => open);
  t.ok(Math.max(...shares) <= BURST / 2, `each worker: ${shares}`);
});

// Connections that every worker refuses, as at its maxConnections, wait and do not circulate.

const TURNS = 200;

/** Accepts nothing while it is full. */
class FullWorker extends EventEmitter {
  connected = true;
  isFull = true;
  refused = 0;
  accepted = 0;

  send({ act, seq: ack }) {
    if (act !== 'newconn') return;
    setImmediate(() => {
      const accepted = !this.isFull;
      this[accepted ? 'accepted' : 'refused'] += 1;
      this.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted });
    });
  }
}

t.test('all workers are full', async (t) => {
  const admission = new Admission();
  const queues = new Queues(admission);
  const [one, other] = joined(admission, queues, [new FullWorker(), new FullWorker()]);
  const queue = queues.open({ address: KEY, choose: chooseFree, takesBack: false });
  const client = () => ({ close: () => {} });
  queue.give(client());
  await until(() => one.refused > 0 && other.refused > 0, 'both to refuse it');
  for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
  const refusals = one.refused + other.refused;
  t.ok(refusals < TURNS / 4, `in ${TURNS} turns they refuse it ${refusals} times`);
  t.notOk(queue.isIdle);
  queue.give(client());
  other.isFull = false;
  await until(() => other.accepted === 2, 'a worker with room to get both');
  t.equal(queues.givenUp, 0);
  t.ok(queue.isIdle);
});
