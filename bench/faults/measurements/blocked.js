/**
 * Fast requests while all workers but one are blocked, beside the same requests on an idle app. They
 * are sent at a steady rate, whether earlier ones are answered or not, each on its own connection.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { clientAddress } from '../../../test/support/http-load.js';
import { freePort } from '../../../test/support/ports.js';
import { count, middle, most, zero } from '../figures.js';
import { startApps } from '../supervisors/supervisor.js';
import { ANSWER_MS } from '../traffic/clients.js';
import { openAtOnce } from '../traffic/kept-connections.js';
import { SteadyTraffic } from '../traffic/steady.js';

/**
 * @import { Table } from '../figures.js'
 * @import { KeptConnection } from '../traffic/kept-connections.js'
 * @import { Conditions, Measurement } from '../measurements.js'
 * @import { Supervisor } from '../supervisors/supervisor.js'
 */

const PROGRAM = fileURLToPath(new URL('../programs/blocks.cjs', import.meta.url));
const WORKERS = 4;
const BLOCKED_MS = 3000;
const GAP_MS = 5;
/** After the last request, for delayed answers to come while workers are still blocked. */
const REST_MS = 500;
/** To find each worker, where they do not get connections in turn. */
const MAX_ATTEMPTS = 10;
/** A request that took longer waited for a worker. */
const DELAYED_MS = 500;
/** p99 may be this many times what it is on an idle app. */
const MAX_RATIO = 2;

/** @type {Table[]} */
const tables = [
  {
    name: 'blocked',
    title: `${WORKERS - 1} of ${WORKERS} workers blocked for ${BLOCKED_MS / 1000} s`,
    by: {},
    columns: [
      count('rounds', 'rounds'),
      count('requests', 'made'),
      zero('lost', 'lost'),
      { ...zero('delayed', 'delayed'), must: (row) => row.delayed === 0 || mayWait(row) },
      { head: 'median ms', of: 'middleMs', over: middle },
      { head: 'p99 ms', of: 'p99Ms', over: middle },
      { head: 'longest ms', of: 'longestMs', over: most },
      { head: 'p99 ms idle', of: 'idleP99Ms', over: middle },
      {
        head: 'ratio',
        of: 'ratio',
        over: middle,
        must: (row) => row.ratio <= MAX_RATIO || mayWait(row),
      },
    ],
  },
];

/** @param {{scheduling: string}} row a client's address decides, whoever is blocked */
const mayWait = ({ scheduling }) => scheduling === 'sticky';

/** @type {Measurement} */
export const blocked = { name: 'blocked', tables, measure };

/**
 * @param {Supervisor} supervisor
 * @param {Conditions} conditions
 */
async function measure(supervisor, { scheduling, numbers: { blocks } }) {
  const port = await freePort();
  const app = { name: 'api', script: PROGRAM, env: { PORT: port }, instances: WORKERS };
  await startApps(supervisor, scheduling, [app]);
  await sendSteadily(port); // compiles the program
  /** @type {number[]} */
  const idle = [];
  /** @type {number[]} */
  const times = [];
  for (let round = 0; round < blocks; round++) {
    idle.push(...(await sendSteadily(port)));
    await blockAllButOne(port);
    times.push(...(await sendSteadily(port)));
    await pause(REST_MS);
  }
  const answered = sorted(times);
  const [p99Ms, idleP99Ms] = [percentile(answered, 0.99), percentile(sorted(idle), 0.99)];
  return [
    {
      ...{ table: 'blocked', rounds: blocks, made: times.length, p99Ms, idleP99Ms },
      ratio: p99Ms / idleP99Ms,
      lost: times.length - answered.length,
      delayed: answered.filter((ms) => ms > DELAYED_MS).length,
      middleMs: percentile(answered, 0.5),
      longestMs: answered[answered.length - 1],
    },
  ];
}

/** @param {number} port */
async function blockAllButOne(port) {
  /** @type {Map<number, KeptConnection>} */
  const byPid = new Map();
  for (let attempt = 0; byPid.size < WORKERS && attempt < MAX_ATTEMPTS; attempt++) {
    const connections = await openAtOnce(port, 20 * WORKERS);
    for (const connection of connections) {
      if (byPid.has(connection.pid)) connection.close();
      else byPid.set(connection.pid, connection);
    }
  }
  if (byPid.size < WORKERS) throw new Error(`only ${byPid.size} of ${WORKERS} workers answer`);
  const [idle, ...victims] = byPid.values();
  idle.close();
  await Promise.all(victims.map((victim) => victim.ask(`/${BLOCKED_MS}`)));
  for (const victim of victims) victim.close();
}

/**
 * @param {number} port
 * @returns {Promise<number[]>} milliseconds to each answer; NaN: lost
 */
async function sendSteadily(port) {
  const always = { gapMs: GAP_MS, keepAlive: false, timeoutMs: ANSWER_MS };
  const traffic = new SteadyTraffic({ port, ...always, localAddress: clientAddress });
  await pause(BLOCKED_MS - REST_MS);
  return traffic.stop();
}

/** @param {number[]} times */
function sorted(times) {
  return times.filter((ms) => !Number.isNaN(ms)).sort((a, b) => a - b);
}

/** @param {number[]} times sorted @param {number} part */
function percentile(times, part) {
  return times[Math.floor(times.length * part)];
}
