/**
 * The cost of watching a hundred idle workers: CPU of `monit`, of the daemon and of the primary, and
 * bytes written to the terminal, compared with `pm2 monit`; and the same of `web` and its page. Linux only.
 * node bench/monit.js [--workers 100] [--seconds 30] [--pm2 <path of its command>]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NODE, app } from '../test/support/home.js';
import { freePort } from '../test/support/ports.js';
import { isRunning } from '../test/support/processes.js';
import { inTerminal } from '../test/support/pseudo-terminal.js';
import { plainEnv, spawnClean } from '../test/support/spawn-clean.js';
import { until } from '../test/support/until.js';
import { webClient } from '../test/support/web/client.js';
import { inHome } from './bench-home.js';
import { cpuMs } from './processes.js';
import { printTable } from './table.js';

const BIN = fileURLToPath(new URL('../bin/nodecluster.js', import.meta.url));
const SIZE = { columns: 120, rows: 40 };
const WARM_MS = 8000;
const START_MS = 300_000;

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
    pm2: { type: 'string' },
  },
});
const workers = Number(values.workers);
const seconds = Number(values.seconds);

const rows = [...(await ours()), ...(values.pm2 ? await theirs(values.pm2) : [])];
printTable(['', 'viewer', 'daemon', 'primary', 'all', 'to terminal or page'], rows);

/** @returns {Promise<string[][]>} */
function ours() {
  return inHome(async ({ begin, list, root, env }) => {
    const start = ['start', app('http-pid.cjs'), '--name', 'api', '-i', String(workers)];
    const PORT = String(await freePort());
    begin([...start, '--listen-timeout', '5m'], { env: { PORT } });
    const isUp = async () => {
      const [api] = (await list()).apps;
      const states = api.workers.map((/** @type {any} */ { status }) => status);
      return states.length === workers && states.every((/** @type {string} */ s) => s === 'online');
    };
    await until(isUp, 'all workers to be online', START_MS);
    const { daemon, apps } = await list();
    const pids = { daemon: daemon.pid, primary: apps[0].primaryPid };
    await pause(WARM_MS);
    const idle = await costOf(pids);
    const watched = await whileWatched([NODE, BIN, 'monit'], { cwd: root, env }, pids);
    const { closed, open } = await whileServed(begin, pids);
    return [
      row('nodecluster, nobody watches', idle),
      row('nodecluster monit', watched),
      row('nodecluster web, no page open', closed),
      row('nodecluster web, one page', open),
    ];
  });
}

/**
 * @param {string} pm2 path of its command
 * @returns {Promise<string[][]>}
 */
async function theirs(pm2) {
  const home = mkdtempSync(join(tmpdir(), 'nc-pm2-'));
  const env = { ...plainEnv(home), PM2_HOME: home, PORT: String(await freePort()) };
  const run = (/** @type {string[]} */ args) =>
    new Promise((resolve) => {
      spawnClean(NODE, [pm2, ...args], { env, cwd: home, stdio: 'ignore' }).once('close', resolve);
    });
  await run(['start', app('http-pid.cjs'), '--name', 'api', '-i', String(workers)]);
  const daemon = Number(readFileSync(join(home, 'pm2.pid'), 'utf8'));
  try {
    await pause(WARM_MS);
    const idle = await costOf({ daemon });
    const watched = await whileWatched([NODE, pm2, 'monit'], { cwd: home, env }, { daemon });
    return [row('pm2, nobody watches', idle), row('pm2 monit', watched)];
  } finally {
    await run(['kill']);
    if (isRunning(daemon)) process.kill(daemon, 'SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} command
 * @param {{cwd: string, env: Record<string, string>}} options
 * @param {Record<string, number>} pids
 */
async function whileWatched(command, options, pids) {
  /** @type {(() => unknown)[]} */
  const teardowns = [];
  const t = { teardown: (/** @type {() => unknown} */ fn) => teardowns.push(fn) };
  const terminal = await inTerminal(t, command, { ...options, ...SIZE });
  try {
    const monit = await terminal.pid();
    await pause(WARM_MS);
    const before = terminal.output().length;
    const cost = await costOf({ monit, ...pids });
    return { ...cost, written: (terminal.output().length - before) / seconds };
  } finally {
    for (const teardown of teardowns) await teardown();
  }
}

/**
 * @param {(words: string[]) => any} begin
 * @param {Record<string, number>} pids
 */
async function whileServed(begin, pids) {
  const serving = begin(['web', '--listen', '127.0.0.1:0']);
  try {
    const [link, port] = await serving.said(/^http:\/\/127\.0\.0\.1:(\d+)\/#token=\S+$/m);
    const all = { monit: serving.child.pid, ...pids };
    await pause(WARM_MS);
    const closed = await costOf(all);
    const client = webClient({ port: Number(port) });
    await client.signIn(link);
    const page = await client.stream('/api/events');
    await pause(WARM_MS);
    const before = page.bytes;
    const open = await costOf(all);
    return { closed, open: { ...open, written: (page.bytes - before) / seconds } };
  } finally {
    serving.child.kill();
  }
}

/**
 * @param {Record<string, number>} pids
 * @returns {Promise<Record<string, number>>} percent of one core
 */
async function costOf(pids) {
  const names = Object.keys(pids);
  const before = names.map((name) => cpuMs(pids[name]).own);
  const began = performance.now();
  await pause(seconds * 1000);
  const passedMs = performance.now() - began;
  return Object.fromEntries(
    names.map((name, index) => [name, (100 * (cpuMs(pids[name]).own - before[index])) / passedMs]),
  );
}

/**
 * @param {string} name
 * @param {Record<string, number>} cost
 */
function row(name, { monit, daemon, primary, written }) {
  const all = (monit ?? 0) + daemon + (primary ?? 0);
  const percent = (/** @type {number | undefined} */ value) =>
    value === undefined ? '' : `${value.toFixed(2)} %`;
  const bytes = written === undefined ? '' : `${Math.round(written)} B/s`;
  return [name, percent(monit), percent(daemon), percent(primary), percent(all), bytes];
}
