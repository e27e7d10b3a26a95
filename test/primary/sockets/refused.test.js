/** Connections that every worker refuses, as at its maxConnections, wait and do not circulate. */
import { EventEmitter } from 'node:events';
import t from 'tap';
import { Admission } from '../../../src/primary/sockets/admission.js';
import { handedTo } from '../../../src/primary/sockets/leases.js';
import { chooseFree, Queues } from '../../../src/primary/sockets/queues.js';
import { until } from '../../support/until.js';

const TURNS = 200;
const KEY = 'null:80:4:-1';

/** Accepts nothing while it is full. */
class Worker extends EventEmitter {
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
  const workers = [0, 1].map((slot) => {
    const worker = /** @type {any} */ (new Worker());
    const member = admission.join({ worker, slot, isAdmitted: true });
    member.listens(KEY, KEY);
    handedTo(worker).onFree.add(() => queues.takeTurns());
    return worker;
  });
  const queue = queues.open({
    address: () => KEY,
    choose: chooseFree,
    takesBack: false,
  });
  const client = () => ({ close: () => {} });
  queue.give(client());
  const [one, other] = workers;
  await until(() => one.refused > 0 && other.refused > 0, 'both to refuse it');
  for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
  const refusals = one.refused + other.refused;
  t.ok(
    refusals < TURNS / 4,
    `in ${TURNS} turns of the event loop they refuse it ${refusals} times`,
  );
  t.notOk(queue.isIdle);
  queue.give(client());
  other.isFull = false;
  await until(() => other.accepted === 2, 'a worker with room to get both');
  t.equal(queues.givenUp, 0);
  t.ok(queue.isIdle);
});
