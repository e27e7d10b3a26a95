/**
 * From `kill -9` of a worker to the first answer of its replacement, beside a bare node:cluster
 * script that forks at 'exit'.
 * node bench/worker-kill.js [--node <binary>]… [--kills 10]
 */
import { fileURLToPath } from 'node:url';
import { app } from '../test/support/home.js';
import { ask, pidsThatAnswer } from '../test/support/http-ask.js';
import { freePort } from '../test/support/ports.js';
import { plainEnv, spawnClean } from '../test/support/spawn-clean.js';
import { until } from '../test/support/until.js';
import { benchArguments } from './arguments.js';
import { inHome, versionOf } from './bench-home.js';
import { median, printTable } from './table.js';

const PROGRAM = app('http-pid.cjs');
const BARE = fileURLToPath(new URL('bare-cluster.js', import.meta.url));

const { nodes, numbers } = benchArguments({ kills: 10 });
const rows = [];
for (const node of nodes) {
  rows.push([versionOf(node), 'nodecluster', ...figures(await supervised(node))]);
  rows.push([versionOf(node), 'bare node:cluster', ...figures(await bare(node))]);
}
printTable(['Node', 'who', 'median ms', 'fastest', 'slowest', 'kills'], rows);

/** @param {number[]} times */
function figures(times) {
  const rounded = [median(times), Math.min(...times), Math.max(...times)].map(Math.round);
  return [...rounded, times.length];
}

/** @param {string} node */
function supervised(node) {
  return inHome(async ({ ok }) => {
    const port = await freePort();
    await ok(['start', PROGRAM, '-i', '2', '--name', 'api', '--max-restarts', '1000'], {
      node,
      env: { PORT: String(port) },
    });
    return killAgainAndAgain(port);
  });
}

/** @param {string} node */
async function bare(node) {
  const port = await freePort();
  const env = { ...plainEnv(), PORT: String(port) };
  const primary = spawnClean(node, [BARE, PROGRAM], { env, stdio: 'ignore' });
  try {
    return await killAgainAndAgain(port);
  } finally {
    primary.kill('SIGTERM');
  }
}

/** @param {number} port @returns {Promise<number[]>} milliseconds, one for each kill */
async function killAgainAndAgain(port) {
  const times = [];
  for (let kill = 0; kill < numbers.kills; kill++) {
    const known = await until(() => pidsThatAnswer(port, 2), 'both workers');
    const start = performance.now();
    process.kill(known[0], 'SIGKILL');
    await answerOfAnother(port, known);
    times.push(performance.now() - start);
  }
  return times;
}

/**
 * Asks without a pause; a request that the dead worker took with it is simply another question.
 * @param {number} port
 * @param {number[]} known
 */
async function answerOfAnother(port, known) {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    const { pid } = await ask(port).catch(() => ({ pid: known[0] }));
    if (!known.includes(pid)) return;
  }
  throw new Error('no replacement answered within 30 s');
}
