/** What the primary knows of the workers at an address, and how long connections wait for one. */
import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { Admission } from '../../../src/primary/sockets/admission.js';
import { handedTo } from '../../../src/primary/sockets/leases.js';
import { Queues } from '../../../src/primary/sockets/queues.js';
import { FairAddress } from '../../../src/primary/sockets/fair-sharing.js';
import { within } from '../../support/until.js';

const KEY = 'null:80:4:-1';

/** Acknowledges nothing. */
class Worker extends EventEmitter {
  connected = true;
  send() {}
}

/** An address without connections. */
function addressOf(admission) {
  const rules = { holdTimeoutMs: () => 1, isTakingTurns: () => false };
  return new FairAddress(KEY, new Queues(admission), rules);
}

t.test('what waits for a worker is closed in time, each time', async (t) => {
  const closed = new EventEmitter();
  const address = addressOf(new Admission());
  for (const which of ['the first', 'the next']) {
    const isClosed = once(closed, 'one');
    address.queue.give({ close: () => closed.emit('one') });
    address.look();
    await within(isClosed, `${which} connection to be closed`);
    t.ok(address.queue.isIdle, which);
  }
});

t.test('a connection that is not taken back does not count for another worker', async (t) => {
  const admission = new Admission();
  const [late, other] = [0, 1].map((slot) => {
    const worker = /** @type {any} */ (new Worker());
    admission.join({ worker, slot, isAdmitted: true }).listens(KEY, KEY);
    return worker;
  });
  let overdue = () => {};
  handedTo(late).send = (_key, _client, { onOverdue }) => {
    overdue = onOverdue;
    return () => false;
  };
  const sentTo = [];
  const queues = new Queues(admission);
  const queue = queues.open({
    address: () => KEY,
    choose: (_client, servers) => servers[sentTo.length],
    onSent: (worker) => sentTo.push(worker),
    takesBack: true,
  });
  queue.give({ close: () => {} });
  overdue();
  t.same(sentTo.length, 1);
  t.equal(sentTo[0], late);
  t.not(sentTo[0], other);
  t.equal(queues.givenUp, 0);
});
