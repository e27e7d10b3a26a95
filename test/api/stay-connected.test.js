/** One loop keeps `events`, `monit` and `ls --watch` connected while daemons come and go. */
import t from 'tap';
import { stayConnected } from '../../src/api/feed.js';
import { NodeclusterError } from '../../src/errors/error.js';

const failure = (/** @type {string} */ code) =>
  new NodeclusterError(code, { method: 'watch', selector: 'api', known: [] });

/** Daemons in the order in which they are found; null: none is running. */
function daemonsOf(...found) {
  return { home: '/home', find: async () => found.shift() ?? null, close: () => {} };
}

t.test('a lost daemon is reported once, until the next one was in use', async (t) => {
  const ending = new AbortController();
  const ends = ['E_PROTOCOL_CLOSED', 'E_DAEMON_ENDING', 'E_PROTOCOL_CLOSED', 'E_APP_UNKNOWN'];
  let lost = 0;
  const use = async () => {
    throw failure(ends.shift());
  };
  const onLost = () => (lost += 1);
  const daemons = daemonsOf({}, {}, null, {}, {});
  await t.rejects(stayConnected(daemons, use, { signal: ending.signal, onLost }), {
    code: 'E_APP_UNKNOWN',
  });
  t.equal(lost, 2);
});

t.test('without a next daemon it gives up after the timeout', async (t) => {
  const { signal } = new AbortController();
  const options = { signal, onLost: () => {}, timeoutMs: 1 };
  await t.rejects(
    stayConnected(daemonsOf(), async () => {}, options),
    {
      code: 'E_DAEMON_NOT_RUNNING',
    },
  );
});

t.test('it ends with its signal', async (t) => {
  const ending = new AbortController();
  const use = async () => ending.abort();
  await stayConnected(daemonsOf({}), use, { signal: ending.signal, onLost: t.fail });
  t.pass();
});
