/** Who waits when all workers but one are blocked. */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { Gap } from '../comparison/gap.js';
import { ask } from '../comparison/load/ask.js';
import { programOf, serving } from '../comparison/serving.js';

/** @import { Case } from '../comparison/types.js' */

const WORKERS = 3;
const BLOCKED_MS = 3_000;
const REQUESTS = 200;
const EVERY_MS = 10;
/** A policy that spreads by chance may need many connections before each worker has one. */
const CONNECTIONS = 200;

/** @type {Case} */
const blockedWorkers = {
  title: 'Fast requests while all workers but one are blocked',
  // Blocked workers sleep, so that they leave the cores to the others. With sticky only clients of a blocked worker wait.
  candidates: [...PEERS, ...POLICIES.filter((name) => !name.includes('sticky'))],
  rounds: 3,
  seconds: 11,
  drawn: 'longestMs',
  figures: [
    { key: 'late', title: 'slower than 1 s', better: 'less' },
    { key: 'longestMs', title: 'longest ms, blocked', better: 'less', digits: 1 },
    { key: 'longestIdleMs', title: 'longest ms, none blocked', better: 'less', digits: 1 },
  ],
  measure: (conditions) =>
    serving(
      conditions,
      { script: programOf('expensive.cjs'), path: '/fast', workers: WORKERS },
      async ({ port }) => {
        await steadyRequests(port); // to warm up
        const idle = await steadyRequests(port);
        const release = await blockAllButOne(port);
        const times = await steadyRequests(port);
        await release();
        const late = times.filter((time) => time > 1_000).length;
        const [longestIdleMs, longestMs] = [idle, times].map((each) => Math.max(...each));
        const figures = { late, longestMs, longestIdleMs };
        return [{ variant: 'all workers but one blocked', figures }];
      },
    ),
};

export default blockedWorkers;

/** @param {number} port @returns {Promise<number[]>} milliseconds that each took */
async function steadyRequests(port) {
  const asked = [];
  for (let number = 0; number < REQUESTS; number++) {
    asked.push(ask({ port, path: '/fast' }));
    await pause(EVERY_MS);
  }
  return (await Promise.all(asked)).map(({ ms }) => ms);
}

/**
 * Each worker is found by a connection that is kept, and blocked by a request on it.
 * @param {number} port
 * @returns {Promise<() => Promise<void>>} waits until they are no longer blocked
 */
async function blockAllButOne(port) {
  /** @type {Map<string, Agent>} */
  const found = new Map();
  /** @type {Agent[]} */
  const all = [];
  for (let number = 0; number < CONNECTIONS && found.size < WORKERS; number++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    all.push(agent);
    const { body } = await ask({ port, path: '/fast', agent });
    if (!found.has(body)) found.set(body, agent);
  }
  if (found.size < WORKERS) throw new Gap(`${found.size} of ${WORKERS} workers got a connection`);
  const [, ...others] = found.values();
  const path = `/block?ms=${BLOCKED_MS}`;
  const blocked = others.map((agent) => ask({ port, path, agent }));
  await pause(100); // they have begun by then
  return async () => {
    await Promise.all(blocked);
    for (const agent of all) agent.destroy();
  };
}
