/**
 * The soak: an app under moderate load for hours, with reloads, many log lines and rotation. Memory
 * and descriptors of daemon and primary over time, lost requests, lost log lines.
 * node bench/soak.js [--node <binary>] [--minutes 360] [--scheduling <policy>]
 *   [--rate 200] [--clients 20] [--lines 1000] [--reload-every 300] [--sample-every 10]
 *   [--json soak.json]
 * node bench/soak.js --draw <SVG> --json <file>   draws it, also while it runs
 * The file can be read while it runs. Ctrl-C ends it with what it has. The exit code is 1 when a
 * request or a line was lost.
 */
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inHome } from '../test/support/home.js';
import { generateLoad } from '../test/support/http-load.js';
import { freePort } from '../test/support/ports.js';
import { benchArguments, versionOf } from './arguments.js';
import { printTable } from './table.js';
import { LineAccount } from './soak/line-account.js';
import { sizeOf } from './soak/samples.js';

/**
 * @import { Home } from '../test/support/home.js'
 * @import { Sample } from './soak/samples.js'
 * @typedef {ReturnType<typeof generateLoad>} Load
 */

const PROGRAM = fileURLToPath(new URL('./soak/program.cjs', import.meta.url));
const WORKERS = 2;
const FAILURES_KEPT = 100;

const { nodes, numbers, strings } = benchArguments(
  {
    ...{ minutes: 360, rate: 200, clients: 20, lines: 1000 },
    ...{ 'reload-every': 300, 'sample-every': 10 },
  },
  { scheduling: '', json: 'soak.json', draw: '' },
);
const [node] = nodes;
const durationMs = numbers.minutes * 60_000;
const interrupted = once(process, 'SIGINT');

if (strings.draw) await draw();
else print(await inHome(soak));

async function draw() {
  const { drawSamples } = await import('./soak/draw.js');
  /** @type {Report} */
  const { samples, reloads, settings } = JSON.parse(readFileSync(strings.json, 'utf8'));
  const { rate, lines } = settings;
  const title = `${rate} requests/s, ${lines} log lines/s, ${reloads.done} reloads`;
  writeFileSync(strings.draw, drawSamples(title, samples));
}

/** @param {Report} report */
function print({ samples, requests, lines, reloads }) {
  printTable(
    ['process', 'private MB: first', 'highest', 'last', 'descriptors: first', 'last'],
    /** @type {const} */ (['daemon', 'primary']).map((name) => cellsOf(samples, name)),
  );
  console.log(`
${requests.made} requests, ${requests.failed} failed. ${reloads.done} reloads, ${reloads.failed} failed.
${lines.written} log lines, ${lines.lost} lost, ${lines.wrong} wrong, ${lines.unknown} workers with an unknown number.`);
  const mustBeZero = [requests.failed, reloads.failed, lines.lost, lines.wrong, lines.unknown];
  process.exitCode = mustBeZero.some((number) => number > 0) ? 1 : 0;
}

/** @param {Home} home */
async function soak(home) {
  const [port, notes] = [await freePort(), join(home.root, 'notes')];
  const env = { PORT: String(port), NOTES: notes, LINES_PER_SECOND: `${numbers.lines / WORKERS}` };
  const policy = strings.scheduling ? ['--scheduling', strings.scheduling] : [];
  await home.ok(['start', PROGRAM, '-i', `${WORKERS}`, '--name', 'web', ...policy], { node, env });
  const thinkMs = (numbers.clients / numbers.rate) * 1000;
  const clients = numbers.clients / 2;
  const loads = [true, false].map((keepAlive) =>
    generateLoad({ port, keepAlive, clients, thinkMs, failuresKept: FAILURES_KEPT }),
  );
  const account = new LineAccount(join(home.home, 'logs', 'web-out.log'), notes);
  const report = newReport();
  await watch(home, { report, loads, account });
  await Promise.all(loads.map((load) => load.stop()));
  await home.ok(['stop', 'web'], { node });
  await account.readRest();
  save(report, { loads, account });
  return report;
}

function newReport() {
  return {
    begun: new Date().toISOString(),
    ended: false,
    node: versionOf(node),
    settings: { ...numbers, ...strings },
    requests: { made: 0, failed: 0, failures: /** @type {object[]} */ ([]) },
    reloads: { done: 0, failed: 0 },
    lines: { written: 0, found: 0, lost: 0, wrong: 0, unknown: 0 },
    samples: /** @type {Sample[]} */ ([]),
  };
}

/**
 * @typedef {ReturnType<typeof newReport>} Report
 * @typedef {{loads: Load[], account: LineAccount}} Sources
 */

/** @param {Home} home @param {Sources & {report: Report}} running */
async function watch(home, { report, loads, account }) {
  const begunMs = performance.now();
  const elapsedS = () => (performance.now() - begunMs) / 1000;
  let isInterrupted = false;
  const interruption = interrupted.then(() => (isInterrupted = true));
  let reloadAtS = numbers['reload-every'];
  while (!isInterrupted && elapsedS() * 1000 < durationMs) {
    const { daemon, apps } = await home.list();
    const sizes = { daemon: sizeOf(daemon.pid), primary: sizeOf(apps[0].primaryPid) };
    report.samples.push({ atS: Math.round(elapsedS()), ...sizes });
    await account.readRotated();
    if (elapsedS() >= reloadAtS) {
      await reload(home, report);
      reloadAtS += numbers['reload-every'];
    }
    save(report, { loads, account });
    await pause(numbers['sample-every'] * 1000, interruption);
  }
  report.ended = true;
}

/** @param {Home} home @param {Report} report */
async function reload(home, { reloads }) {
  const { code, stderr } = await home.run(['reload', 'web'], { node });
  reloads.done += 1;
  if (code === 0) return;
  reloads.failed += 1;
  console.error(`reload: exit code ${code}\n${stderr}`);
}

/** @param {number} ms @param {Promise<unknown>} interruption */
async function pause(ms, interruption) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([over, interruption]);
  clearTimeout(timer);
}

/** @param {Report} report @param {Sources} sources */
function save(report, { loads, account }) {
  const states = loads.map(({ state }) => state);
  const sum = (/** @type {(state: Load['state']) => number} */ of) =>
    states.reduce((total, state) => total + of(state), 0);
  const failures = states.flatMap((state) => state.failures);
  report.requests = {
    made: sum(({ made }) => made),
    failed: sum(({ failed }) => failed),
    failures,
  };
  report.lines = account.total();
  writeFileSync(`${strings.json}.new`, `${JSON.stringify(report)}\n`);
  renameSync(`${strings.json}.new`, strings.json);
}

/** @param {Sample[]} samples @param {'daemon' | 'primary'} name */
function cellsOf(samples, name) {
  const sizes = samples.map((sample) => sample[name]);
  const [first, last] = [sizes[0], sizes[sizes.length - 1]];
  const highest = Math.max(...sizes.map(({ privateMb }) => privateMb));
  const descriptors = [first.descriptors, last.descriptors];
  return [name, first.privateMb, highest, last.privateMb, ...descriptors];
}
