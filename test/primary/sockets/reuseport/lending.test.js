import t from 'tap';
import { Lending } from '../../../../src/primary/sockets/reuseport/lending.js';
import {
  parseSocketName,
  slotSocketName,
} from '../../../../src/primary/sockets/reuseport/socket-name.js';

/** @param {string[]} names of the sockets of the slots */
function lendingOf(names) {
  /** @type {string[]} */
  const sent = [];
  const workers = ['a', 'b', 'c'].map((name) => ({
    connected: true,
    send: (/** @type {any} */ { type, slot }, /** @type {string} */ handle) =>
      sent.push(`${name} ${type} ${slot}${handle ? ` with ${handle}` : ''}`),
  }));
  const slots = names.map((name, slot) => [slot, name]);
  const sockets = {
    inherited: [],
    slots: slots.filter(([, name], at) => names.indexOf(name) === at),
    handleOf: (/** @type {number} */ slot) => names[slot],
  };
  const lending = new Lending(/** @type {any} */ (sockets));
  return {
    workers,
    /** @param {string} slots whose workers serve @param {string} [blocked] those that are blocked */
    serve: (slots, blocked = '') => {
      const servers = workers.flatMap((worker, slot) => {
        const isBlocked = blocked.includes(String(slot));
        const server = { worker, slot, key: 'k', isBlocked, wasBlocked: isBlocked };
        return slots.includes(String(slot)) ? [server] : [];
      });
      sent.length = 0;
      lending.update(/** @type {any} */ (servers));
      return [...sent];
    },
  };
}

t.test('each worker is sent only what changes, and a blocked one nothing', (t) => {
  const { serve } = lendingOf(['socket 0', 'socket 1', 'socket 2']);
  t.same(
    serve('01'),
    ['a accept-from 0 with socket 0', 'b accept-from 1 with socket 1'],
    'the socket of a slot that never listened gets no connections',
  );
  t.same(serve('01'), [], 'once');
  t.same(serve('012'), ['c accept-from 2 with socket 2']);
  t.same(
    serve('01'),
    ['a accept-from 2 with socket 2', 'b accept-from 2 with socket 2', 'c accept-no-more 2'],
    'it runs, but must not have connections',
  );
  t.same(serve('012', '0'), [
    'b accept-from 0 with socket 0',
    'c accept-from 0 with socket 0',
    'c accept-from 2 with socket 2',
    'b accept-no-more 2',
  ]);
  t.same(serve('012'), ['b accept-no-more 0', 'c accept-no-more 0', 'a accept-no-more 2']);
  t.end();
});

t.test('one that has exited is sent nothing', (t) => {
  const { workers, serve } = lendingOf(['socket 0', 'socket 1']);
  serve('01');
  workers[1].connected = false;
  t.same(serve('0'), ['a accept-from 1 with socket 1']);
  t.end();
});

t.test('two slots that have one socket, because the system refused another', (t) => {
  const { serve } = lendingOf(['socket 0', 'socket 0', 'socket 2']);
  t.same(serve('12'), ['b accept-from 0 with socket 0', 'c accept-from 2 with socket 2']);
  t.same(serve('012'), ['a accept-from 0 with socket 0']);
  t.same(serve('02'), ['b accept-no-more 0'], 'the other one accepts from it');
  t.end();
});

t.test('the name of a socket says which slot it is for', (t) => {
  t.equal(slotSocketName(2, '*:80'), '2/*:80');
  t.same(parseSocketName('2/*:80'), { slot: 2, address: '*:80' });
  t.same(parseSocketName('12/:::80'), { slot: 12, address: ':::80' });
  t.same(parseSocketName('*:80'), { slot: null, address: '*:80' });
  t.end();
});
