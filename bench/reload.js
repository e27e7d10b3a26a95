/**
 * How long a reload takes beside PM2, and what it loses under load. All supervisors run all the time,
 * and are measured in turn.
 * node bench/reload.js --pm2 <PM2's command> [--node <binary>] [--rounds 5] [--clients 4]
 */
import { app } from '../test/support/home.js';
import { startLoad } from '../test/support/http-load.js';
import { freePort } from '../test/support/ports.js';
import { benchArguments } from './arguments.js';
import { inNodecluster } from './faults/supervisors/nodecluster.js';
import { inPm2 } from './faults/supervisors/pm2.js';
import { startApps } from './faults/supervisors/supervisor.js';
import { median, printTable } from './table.js';

/** @import { Supervisor } from './faults/supervisors/supervisor.js' */

/**
 * @typedef {object} Candidate
 * @property {string} name
 * @property {Supervisor} supervisor
 * @property {number[]} ports of its apps
 * @property {number[]} seconds of each reload
 * @property {number} missing workers that an app lacked at some time; 0: never one
 * @property {number} made
 * @property {number} failed
 */

const { nodes, numbers, strings } = benchArguments({ rounds: 5, clients: 4 }, { pm2: '' });
const [node] = nodes;
const CASES = [
  { name: '1 app with 2 workers', apps: 1, instances: 2 },
  { name: '1 app with 8 workers', apps: 1, instances: 8 },
  { name: '8 apps with 1 worker', apps: 8, instances: 1 },
];
const rows = [];
for (const { name, apps, instances } of CASES) {
  /** @type {Candidate[]} */
  const candidates = [];
  const add = (/** @type {string} */ candidate, /** @type {object} */ settings) =>
    addCandidate(candidates, candidate, { apps, instances, ...settings });
  const measureAll = () => rounds(candidates, instances);
  const withPm2 = () =>
    strings.pm2
      ? inPm2({ node, scheduling: 'round-robin', bin: strings.pm2 }, async (pm2) => {
          await add('PM2', {})(pm2);
          await measureAll();
        })
      : measureAll();
  await inNodecluster({ node }, async (proving) => {
    await add('nodecluster', {})(proving);
    await inNodecluster({ node }, async (trusting) => {
      await add('nodecluster, min_uptime: 0', { min_uptime: 0 })(trusting);
      await withPm2();
    });
  });
  const other = candidates.find(({ name }) => name === 'PM2');
  for (const candidate of candidates) rows.push([name, ...rowOf(candidate, other)]);
}
printTable(
  [
    'reload of',
    'supervisor',
    'median s',
    'fastest',
    'slowest',
    'of PM2',
    'requests',
    'lost',
    'ready below desired',
  ],
  rows,
);

/**
 * @param {Candidate[]} candidates
 * @param {string} name
 * @param {{apps: number, instances: number, min_uptime?: number}} settings
 */
function addCandidate(candidates, name, { apps, ...settings }) {
  return async (/** @type {Supervisor} */ supervisor) => {
    const ports = await Promise.all(Array.from({ length: apps }, () => freePort()));
    const specs = ports.map((port, index) => ({
      name: `app-${index}`,
      script: app('http-pid.cjs'),
      env: { PORT: String(port) },
      ...settings,
    }));
    await startApps(supervisor, 'round-robin', specs);
    const results = { seconds: [], missing: 0, made: 0, failed: 0 };
    candidates.push({ name, supervisor, ports, ...results });
  };
}

/** @param {Candidate[]} candidates @param {number} instances */
async function rounds(candidates, instances) {
  for (let round = 0; round < numbers.rounds; round++) {
    for (const candidate of candidates) await reloadOnce(candidate, instances);
  }
}

/** @param {Candidate} candidate @param {number} instances */
async function reloadOnce(candidate, instances) {
  const { name, supervisor, ports } = candidate;
  const clients = Math.max(1, Math.floor(numbers.clients / ports.length));
  const loads = ports.map((port) => startLoad({ port, clients, thinkMs: 20 }));
  await Promise.all(loads.map((load) => load.answers(2)));
  const startMs = performance.now();
  const args = ['reload', 'all', ...(name === 'PM2' ? [] : ['--json'])];
  const { stdout } = await supervisor.run(args);
  candidate.seconds.push((performance.now() - startMs) / 1000);
  if (name !== 'PM2') {
    /** @type {{minReady: number}[]} */
    const outcomes = JSON.parse(stdout).apps;
    const each = outcomes.map(({ minReady }) => instances - minReady);
    candidate.missing = Math.max(candidate.missing, ...each);
  }
  for (const load of loads) {
    const { made, failed } = await load.stop();
    candidate.made += made;
    candidate.failed += failed;
  }
}

/** @param {Candidate} candidate @param {Candidate | undefined} other */
function rowOf({ name, seconds, made, failed, missing }, other) {
  const figures = [median(seconds), Math.min(...seconds), Math.max(...seconds)];
  const ratio = other ? (median(seconds) / median(other.seconds)).toFixed(2) : '–';
  const shown = name === 'PM2' ? '–' : missing;
  return [name, ...figures.map((each) => each.toFixed(2)), ratio, made, failed, shown];
}
