/** Who gets connections at an address. */
import t from 'tap';
import { Admission } from '../../../src/primary/sockets/admission.js';

const [ADDRESS, KEY] = ['80', 'null:80:4:-1'];

t.test('what stands in serves while all others are blocked', (t) => {
  const admission = new Admission();
  const blocked = new Set();
  admission.isBlocked = (worker) => blocked.has(worker);
  for (const [slot, worker] of ['one', 'other', 'third', 'unproven'].entries()) {
    admission.join({ worker, slot, isAdmitted: slot < 2 }).listens(KEY, ADDRESS);
  }
  const serving = () => admission.serversAt(ADDRESS).map(({ worker }) => worker);
  const after = (...workers) => {
    blocked.clear();
    for (const worker of workers) blocked.add(worker);
    admission.update();
    return serving();
  };
  t.notOk(admission.hasStandIn(ADDRESS));
  admission.admit('third', false, true);
  t.ok(admission.hasStandIn(ADDRESS));
  t.notOk(admission.hasStandIn('81'));
  t.same(serving(), ['one', 'other']);
  t.same(after('one'), ['one', 'other'], 'one of two');
  t.same(after('one', 'other'), ['one', 'other', 'third'], 'what is unproven does not');
  t.same(after('other'), ['one', 'other'], 'one turns again');
  t.end();
});
