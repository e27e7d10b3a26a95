/** How connections that are opened at once and kept spread over the workers. */
import { Agent } from 'node:http';
import { answerOf } from '../../test/support/http-ask.js';
import { clientAddress } from '../../test/support/http-load.js';
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { programOf, serving } from '../comparison/serving.js';

/** @import { Case } from '../comparison/types.js' */

const WORKERS = 8;
const CONNECTIONS = 200;

/** @type {Case} */
const balance = {
  title: 'Kept connections, opened at once',
  // Each client has an address of its own.
  candidates: [...PEERS.filter((name) => !name.startsWith('Watt')), ...POLICIES],
  rounds: 3,
  seconds: 10,
  figures: [
    { key: 'most', title: 'most of a worker', better: 'less' },
    { key: 'fewest', title: 'fewest', better: 'more' },
    { key: 'idle', title: 'workers without any', better: 'less' },
  ],
  measure: (conditions) =>
    serving(conditions, { script: programOf('pid.cjs'), workers: WORKERS }, async ({ port }) => {
      const opening = Array.from({ length: CONNECTIONS }, (_, index) => openOne(port, index));
      const connections = await Promise.all(opening);
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

/** @param {number} port @param {number} index each has an address of its own, for `sticky` */
async function openOne(port, index) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { body } = await answerOf({ port, localAddress: clientAddress(index), agent });
  return { pid: JSON.parse(body).pid, close: () => agent.destroy() };
}
