/**
 * Memory and descriptors of the daemon and of a primary over many commands, followers of the log and
 * reloads. The exit code is 1 if one of them has grown.
 * node bench/endurance/growth.js [--commands 10000] [--followers 1000] [--reloads 1000]
 */
import { once } from 'node:events';
import { connect } from '../../src/api/nodecluster.js';
import { benchArguments } from '../arguments.js';
import { printTable } from '../table.js';
import { inWatchedHome } from './growth/watched-home.js';

/** @import { Size, WatchedHome } from './growth/watched-home.js' */

const PARTS = 4;
/** Of the heap, in MB, from a quarter of the work on: by then every bounded buffer is full. */
const MAX_GROWTH = 1;

const { numbers } = benchArguments({ commands: 10_000, followers: 1000, reloads: 1000 });
const selectors = ['web'];

/** What clients do, by turns; the refused ones too. @type {[string, object][]} */
const COMMANDS = [
  ['list', { fields: ['usage'] }],
  ['list', { selectors, fields: ['details', 'usage', 'vitals'] }],
  ['list', { fields: ['usage', 'vitals'] }],
  ['env', { selectors }],
  ['log-files', { selectors }],
  ['list', { fields: ['usage', 'counters', 'programMetrics'] }],
  ['reset', { selectors }],
  ['signal', { selectors, signal: 'SIGWINCH' }],
  ['send', { selectors, message: { hello: 'world' } }],
  ['scale', { selector: 'web', instances: 1 }],
  ['reload-logs', { selectors }],
  ['flush', { selectors }],
  ['stop', { selectors: ['nobody'] }],
  ['scale', { selector: 'web', instances: 'none' }],
  ['ping', {}],
];

/** @type {(string | number)[][]} */
const rows = [];
await inWatchedHome(async (home) => {
  await measure('commands', numbers.commands, home, async (index) => {
    const [method, params] = COMMANDS[index % COMMANDS.length];
    await home.ask(method, params).catch(() => {});
  });
  await measure('followers of the log', numbers.followers, home, () => follow(home));
  await measure('reloads', numbers.reloads, home, async () => {
    const { apps } = await home.ask('reload', { selectors });
    if (!apps[0].ok) throw new Error(JSON.stringify(apps[0].failed));
  });
});
const heads = ['done', 'process', 'RSS MB', 'heap in use MB', 'descriptors'];
printTable(heads, rows);

/**
 * @param {string} what
 * @param {number} count
 * @param {WatchedHome} home
 * @param {(index: number) => Promise<unknown>} work
 */
async function measure(what, count, { sizes }, work) {
  const series = [await sizes()];
  for (let part = 0; part < PARTS; part++) {
    const [from, to] = [part, part + 1].map((parts) => Math.floor((parts * count) / PARTS));
    for (let index = from; index < to; index++) await work(index);
    series.push(await sizes());
    console.error(`${what}: ${to} of ${count}`);
  }
  for (const name of /** @type {const} */ (['daemon', 'primary'])) {
    const own = series.map((each) => each[name]);
    rows.push([`${count} ${what}`, name, ...cellsOf(own)]);
    if (hasGrown(own)) process.exitCode = 1;
  }
}

/** @param {Size[]} series */
function cellsOf(series) {
  const join = (/** @type {(size: Size) => string | number} */ read) =>
    series.map(read).join(' → ');
  return [
    join(({ rssMb }) => rssMb.toFixed(0)),
    join(({ heapMb }) => heapMb.toFixed(1)),
    join(({ descriptors }) => descriptors),
  ];
}

/** @param {Size[]} series */
function hasGrown(series) {
  const [, early] = series;
  const last = series[series.length - 1];
  return last.heapMb - early.heapMb > MAX_GROWTH || last.descriptors > early.descriptors;
}

/** One program that follows the log and the events, as `logs` and `events` do, and leaves. */
async function follow(/** @type {WatchedHome} */ { home, dial }) {
  const nodecluster = await connect({ home });
  const logs = nodecluster.logs(selectors);
  const client = await dial();
  client.request('watch', { intervalMs: 1000 }).catch(() => {});
  await Promise.all([once(client, 'notification'), nodecluster.list()]);
  client.close();
  await logs.return();
  nodecluster.close();
}
