/** How connections that are opened at once and kept spread over the workers. */
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../test/support/ports.js';
import { distinct, least, most } from '../figures.js';
import { startApps } from '../supervisors/supervisor.js';
import { openAtOnce } from '../traffic/kept-connections.js';

/**
 * @import { Table } from '../figures.js'
 * @import { Conditions, Measurement } from '../measurements.js'
 * @import { Supervisor } from '../supervisors/supervisor.js'
 */

const PROGRAM = fileURLToPath(new URL('../programs/blocks.cjs', import.meta.url));
const WORKERS = 8;
const CONNECTIONS = 200;

/** @type {Table[]} */
const tables = [
  {
    name: 'balance',
    title: `${CONNECTIONS} kept connections, opened at once, over ${WORKERS} workers`,
    by: {},
    columns: [
      { head: 'each worker, in the rounds', of: 'counts', over: distinct },
      { head: 'fewest', of: 'fewest', over: least },
      { head: 'most', of: 'greatest', over: most },
    ],
  },
];

/** @type {Measurement} */
export const balance = { name: 'balance', tables, measure };

/**
 * @param {Supervisor} supervisor
 * @param {Conditions} conditions
 */
async function measure(supervisor, { scheduling, numbers }) {
  const port = await freePort();
  const app = { name: 'api', script: PROGRAM, env: { PORT: port }, instances: WORKERS };
  await startApps(supervisor, scheduling, [app]);
  const rows = [];
  for (let round = 0; round < numbers.openings; round++) rows.push(await oneRound(port));
  return rows;
}

/** @param {number} port */
async function oneRound(port) {
  const connections = await openAtOnce(port, CONNECTIONS);
  /** @type {Map<number, number>} */
  const byPid = new Map();
  for (const { pid } of connections) byPid.set(pid, (byPid.get(pid) ?? 0) + 1);
  for (const connection of connections) connection.close();
  const used = [...byPid.values()].sort((a, b) => a - b);
  const counts = [...Array(WORKERS - used.length).fill(0), ...used];
  return {
    table: 'balance',
    ...{ counts: counts.join(' '), fewest: counts[0], greatest: counts[WORKERS - 1] },
  };
}
