import t from 'tap';
import { Lending } from '../../../../src/primary/sockets/reuseport/lending.js';
import {
  parseSocketName,
  slotSocketName,
} from '../../../../src/primary/sockets/reuseport/socket-name.js';

t.test('each worker is sent only what changes, and a blocked one nothing', (t) => {
  /** @type {string[]} */
  const sent = [];
  const workers = ['a', 'b', 'c'].map((name) => ({
    connected: true,
    send: (/** @type {any} */ { type, slot }, /** @type {string} */ handle) =>
      sent.push(`${name} ${type} ${slot}${handle ? ` with ${handle}` : ''}`),
  }));
  const serve = (/** @type {string} */ slots, blocked = '') =>
    workers.flatMap((worker, slot) => {
      const isBlocked = blocked.includes(String(slot));
      const server = { worker, slot, key: 'k', isBlocked, wasBlocked: isBlocked };
      return slots.includes(String(slot)) ? [server] : [];
    });
  const sockets = { inherited: [], slots: [0, 1, 2].map((slot) => [slot, `socket ${slot}`]) };
  const lending = new Lending(/** @type {any} */ (sockets));
  const steps = (/** @type {any} */ servers) => {
    sent.length = 0;
    lending.update(servers);
    return [...sent];
  };
  t.same(steps(serve('01')), [], 'the socket of a slot that never listened gets no connections');
  t.same(steps(serve('012')), []);
  t.same(steps(serve('01')), ['a accept-also 2 with socket 2', 'b accept-also 2 with socket 2']);
  t.same(steps(serve('01')), [], 'once');
  t.same(steps(serve('012', '0')), [
    'b accept-also 0 with socket 0',
    'c accept-also 0 with socket 0',
    'b accept-no-more 2',
  ]);
  t.same(steps(serve('012')), ['b accept-no-more 0', 'c accept-no-more 0', 'a accept-no-more 2']);
  t.end();
});

t.test('the name of a socket says which slot it is for', (t) => {
  t.equal(slotSocketName(2, '*:80'), '2/*:80');
  t.same(parseSocketName('2/*:80'), { slot: 2, address: '*:80' });
  t.same(parseSocketName('12/:::80'), { slot: 12, address: ':::80' });
  t.same(parseSocketName('*:80'), { slot: null, address: '*:80' });
  t.end();
});
