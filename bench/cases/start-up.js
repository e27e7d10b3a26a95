/** From the command to the first answer, and from the death of a worker to the answer of the next one. */
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../comparison/load/ask.js';
import { programOf, serving } from '../comparison/serving.js';

/** @import { Case } from '../comparison/types.js' */

/** A supervisor delays the restart of a worker that has only just started. */
const SETTLED_MS = 2_000;
const ASK_EVERY_MS = 2;
const REPLACED_MS = 30_000;

/** @type {Case} */
const startUp = {
  title: 'A cold start, and a crash',
  // Start, command: to the end of the command, when with nodecluster all workers are online.
  candidates: [
    ...['single process', 'node:cluster, round-robin', 'PM2 7', 'Watt 3', 'nodecluster'],
  ],
  rounds: 5,
  seconds: 6,
  figures: [{ key: 'ms', title: 'ms', better: 'less' }],
  measure: async (conditions) => {
    const begin = performance.now();
    return serving(
      conditions,
      { script: programOf('expensive.cjs'), path: '/fast' },
      async ({ port, firstAnswerMs }) => {
        const { name, run } = conditions.candidate;
        const measured = [{ variant: 'start', figures: { ms: firstAnswerMs } }];
        const commandMs = performance.now() - begin;
        if (run) measured.push({ variant: 'start, command', figures: { ms: commandMs } });
        if (['single process', 'Watt 3'].includes(name)) return measured;
        await pause(SETTLED_MS);
        return [...measured, { variant: 'crash', figures: { ms: await crash(port) } }];
      },
    );
  },
};

export default startUp;

/** @param {number} port @returns {Promise<number>} milliseconds */
async function crash(port) {
  const known = new Set();
  while (known.size < 2) known.add((await ask({ port, path: '/fast' })).body);
  const [victim] = known;
  const begin = performance.now();
  process.kill(Number(victim.split('-')[0]), 'SIGKILL');
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      clearInterval(asking);
      reject(new Error(`nobody replaced the worker within ${REPLACED_MS / 1000} s`));
    }, REPLACED_MS);
    const asking = setInterval(async () => {
      const { body } = await ask({ port, path: '/fast' }).catch(() => ({ body: victim }));
      if (known.has(body)) return;
      clearInterval(asking);
      clearTimeout(deadline);
      resolve(performance.now() - begin);
    }, ASK_EVERY_MS);
  });
}
