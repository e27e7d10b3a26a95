/** Who had a port is what was found at that time, and never guessed later. */
import t from 'tap';
import { PortHolders } from '../../../src/daemon/ports.js';

const fault = { code: 'EADDRINUSE', address: null, port: 3000 };

t.test('a holder is remembered, and not looked up for a failure before this daemon', async (t) => {
  let program = 'nginx';
  const find = () => ({
    processes: program === null ? [] : [{ pid: 7, group: 7, commandLine: `${program}\0` }],
    isOfOthers: false,
  });
  const holders = new PortHolders(() => [], find);
  const nowMs = Date.now();
  t.equal(holders.holderOf('api', fault, nowMs), 'pid 7 (nginx)');
  program = 'caddy';
  t.equal(holders.holderOf('api', fault, nowMs), 'pid 7 (nginx)', 'it was nginx then');
  t.equal(holders.holderOf('api', fault, nowMs + 5000), 'pid 7 (caddy)', 'a later failure');
  program = null;
  t.equal(
    holders.holderOf('api', fault, nowMs + 9000),
    'pid 7 (caddy)',
    'not found again: it stays',
  );
  t.equal(holders.holderOf('web', fault, performance.timeOrigin - 1), undefined);
});

t.test('an app that reports failure after failure does not occupy the daemon', async (t) => {
  let searches = 0;
  let nowMs = performance.now();
  t.intercept(performance, 'now', { value: () => nowMs });
  const find = () => {
    searches += 1;
    nowMs += 110;
    return { processes: [], isOfOthers: true };
  };
  const holders = new PortHolders(() => [], find);
  const nameNext = (/** @type {string} */ app, /** @type {number} */ port) =>
    holders.holderOf(app, { ...fault, port });
  for (let port = 1; port <= 1000; port++) nameNext('liar', port);
  t.ok(searches < 20, `${searches} searches`);
  t.equal(nameNext('liar', 2000), undefined);
  t.equal(nameNext('api', 2000), 'a process of another user', 'others are not affected');
});
