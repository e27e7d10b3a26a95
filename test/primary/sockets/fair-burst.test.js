/** A burst on a busy machine, where every worker seems late: no worker ends with most of it. */
import { EventEmitter } from 'node:events';
import t from 'tap';
import { Admission } from '../../../src/primary/sockets/admission.js';
import { handedTo } from '../../../src/primary/sockets/leases.js';
import { Queues } from '../../../src/primary/sockets/queues.js';
import { FairSharing } from '../../../src/primary/sockets/fair-sharing.js';
import { AGENT_CMD, channelTo } from '../../../src/primary/worker/channel.js';
import { until } from '../../support/until.js';

const KEY = 'null:80:4:-1';
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
  /** @type {any[]} */
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

  /** @param {number} count connections that it finds in the kernel's queue */
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
  const rules = { holdTimeoutMs: () => 1000, isTakingTurns: () => false };
  const sharing = new FairSharing(queues, rules);
  const workers = [0, 1, 2, 3].map((slot) => {
    const worker = /** @type {any} */ (new SlowWorker());
    t.teardown(() => clearInterval(worker.turns));
    const member = admission.join({ worker, slot, isAdmitted: true });
    handedTo(worker).onFree.add(() => queues.takeTurns());
    sharing.join(worker);
    member.listens(KEY, KEY);
    worker.limit = sharing.listens(worker, KEY) ?? 2;
    return worker;
  });
  workers[0].accept(BURST);
  const total = () => workers.reduce((sum, { open }) => sum + open, 0);
  await until(() => total() === BURST, 'all to be served');
  const shares = workers.map(({ open }) => open);
  t.ok(Math.max(...shares) <= BURST / 2, `each worker: ${shares}`);
});
