/**
 * Time from `kill -9` of a worker to the first answer of its replacement, compared with a bare
 * node:cluster script that forks on 'exit'.
 * node bench/kills/worker.js [--node <binary>]… [--kills 10]
 */
import { get } from 'node:http';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { app } from '../../test/support/home.js';
import { pidsThatAnswer } from '../../test/support/http-ask.js';
import { freePort } from '../../test/support/ports.js';
import { plainEnv, spawnClean } from '../../test/support/spawn-clean.js';
import { until } from '../../test/support/until.js';
import { benchArguments } from '../arguments.js';
import { inHome, versionOf } from '../bench-home.js';
import { median, printTable } from '../table.js';

/** @import { ClientRequest } from 'node:http' */

const PROGRAM = app('http-pid.cjs');
const BARE = fileURLToPath(new URL('../programs/bare-cluster.js', import.meta.url));

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

/** @param {string} node @returns {Promise<number[]>} */
function supervised(node) {
  return inHome(({ ok }) =>
    again(async (port) => {
      const env = { PORT: String(port) };
      await ok(['start', PROGRAM, '-i', '2', '--name', 'api'], { node, env });
      const time = await killOne(port);
      await ok(['delete', 'api'], { node });
      return time;
    }),
  );
}

/** @param {string} node @returns {Promise<number[]>} */
function bare(node) {
  return again(async (port) => {
    const env = { ...plainEnv(), PORT: String(port) };
    const primary = spawnClean(node, [BARE, PROGRAM], { env, stdio: 'ignore' });
    try {
      return await killOne(port);
    } finally {
      primary.kill('SIGTERM');
    }
  });
}

/**
 * Uses a new app for each kill: a supervisor rightly delays the second restart of the same app.
 * @param {(port: number) => Promise<number>} measure
 */
async function again(measure) {
  const times = [];
  for (let kill = 0; kill < numbers.kills; kill++) times.push(await measure(await freePort()));
  return times;
}

/** @param {number} port @returns {Promise<number>} milliseconds */
async function killOne(port) {
  const known = await until(() => pidsThatAnswer(port, 2), 'both workers');
  const start = performance.now();
  process.kill(known[0], 'SIGKILL');
  await answerOfAnother(port, known);
  return performance.now() - start;
}

/**
 * Sends a request every 2 ms, each on its own connection and without waiting for the previous one,
 * which may have gone to the dead worker and may never be answered.
 * @param {number} port
 * @param {number[]} known
 * @returns {Promise<void>}
 */
function answerOfAnother(port, known) {
  return new Promise((resolve, reject) => {
    /** @type {Set<ClientRequest>} */
    const asked = new Set();
    const end = (/** @type {() => void} */ settle) => {
      clearInterval(asking);
      clearTimeout(deadline);
      for (const request of asked) request.destroy();
      settle();
    };
    const deadline = setTimeout(
      () => end(() => reject(new Error('no replacement answered within 30 s'))),
      30_000,
    );
    const asking = setInterval(() => {
      const request = get({ port, host: '127.0.0.1', agent: false }, async (response) => {
        const { pid } = /** @type {any} */ (await json(response).catch(() => ({ pid: known[0] })));
        if (!known.includes(pid)) end(resolve);
      });
      request.on('error', () => {});
      asked.add(request.on('close', () => asked.delete(request)));
    }, 2);
  });
}
