/** How connections that are opened at once and kept spread over the workers. */
import { fileURLToPath } from 'node:url';
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { serving } from '../comparison/serving.js';
import { openAtOnce } from '../faults/traffic/kept-connections.js';

/** @import { Case } from '../comparison/types.js' */

const PROGRAM = fileURLToPath(new URL('../faults/programs/blocks.cjs', import.meta.url));
const WORKERS = 8;
const CONNECTIONS = 200;

/** @type {Case} */
const balance = {
  section: 'Connections and requests',
  title: 'Kept connections, opened at once',
  about: `${CONNECTIONS} connections over ${WORKERS} workers: an even share is ${CONNECTIONS / WORKERS}. Each client has an address of its own.`,
  candidates: [...PEERS.filter((name) => !name.startsWith('Watt')), ...POLICIES],
  rounds: 1,
  seconds: 10,
  figures: [
    { key: 'most', title: 'most of a worker', better: 'less' },
    { key: 'fewest', title: 'fewest', better: 'more' },
    { key: 'idle', title: 'workers without any', better: 'less' },
  ],
  measure: (conditions) =>
    serving(conditions, { script: PROGRAM, workers: WORKERS }, async ({ port }) => {
      const connections = await openAtOnce(port, CONNECTIONS);
      /** @type {Map<number, number>} */
      const byPid = new Map();
      for (const { pid } of connections) byPid.set(pid, (byPid.get(pid) ?? 0) + 1);
      for (const connection of connections) connection.close();
      const counts = [...byPid.values()];
      const idle = WORKERS - counts.length;
      const figures = { most: Math.max(...counts), fewest: idle ? 0 : Math.min(...counts), idle };
      return [{ variant: `${CONNECTIONS} connections`, figures }];
    }),
};

export default balance;
