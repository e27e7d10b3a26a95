/**
 * What a fully loaded worker loses while its telemetry is read once a second: requests per second,
 * and CPU time per request. Each figure comes from a new process, because V8 compiles the same program
 * sometimes better, sometimes worse, and does not change its mind. Because the load of a machine
 * drifts, runs with and without telemetry alternate, each is compared with its neighbour, and the
 * result is the median of these ratios. Worker and client are pinned to a core each: moving between
 * cores would cost more than what is measured.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '../../src/protocol/client.js';
import { homePaths } from '../../src/shared/home.js';
import { inHome } from '../bench-home.js';
import { cpuMs } from './cpu.js';

const LOAD = fileURLToPath(new URL('load.js', import.meta.url));
const CLIENT_CORE = '0';
const WORKER_CORE = '1';
const ASK_EVERY_MS = 1000;
const LEASE_MS = 1200;
/** Telemetry is first read after the server has served requests. */
const WARM_MS = 4000;
/**
 * A new subscriber makes V8 recompile Node's HTTP server, which is 2 to 4 % slower for some seconds.
 */
const SETTLING_MS = 8000;

/**
 * @typedef {{perSecond: number, cpuNs: number}} Round requests per second, CPU time per request
 * @param {string} node
 * @param {string} program
 * @param {Record<string, number>} numbers rounds, seconds of each, clients
 * @returns {Promise<{off: Round[], on: Round[]}>} round by round, those of a number beside each other
 */
export async function measureServing(node, program, { rounds, seconds, clients }) {
  /** @type {{off: Round[], on: Round[]}} */
  const taken = { off: [], on: [] };
  for (let number = 0; number < rounds; number++) {
    /** @type {('off' | 'on')[]} */
    const order = number % 2 ? ['on', 'off'] : ['off', 'on'];
    for (const way of order) {
      taken[way].push(await round(node, program, { isAsked: way === 'on', seconds, clients }));
    }
  }
  return taken;
}

/**
 * @param {string} node
 * @param {string} program
 * @param {{isAsked: boolean, seconds: number, clients: number}} how
 * @returns {Promise<Round>}
 */
function round(node, program, { isAsked, seconds, clients }) {
  return inHome(async ({ startApi, home, list }) => {
    const port = await startApi([], { program, node });
    const [{ workers }] = (await list()).apps;
    const { pid } = workers[0];
    execFileSync('taskset', ['-a', '-c', '-p', WORKER_CORE, String(pid)], { stdio: 'ignore' });
    const primary = await connect(homePaths(home).app('api').socket, {
      hello: { role: 'bench', version: '0' },
    });
    const ask = () => void (isAsked && primary.request('telemetry', { leaseMs: LEASE_MS }));
    const load = startLoad(port, clients);
    await pause(WARM_MS);
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    await pause(SETTLING_MS);
    const taken = await measure(load, pid, seconds);
    clearInterval(timer);
    load.stop();
    primary.close();
    return taken;
  });
}

/** @param {number} port @param {number} clients */
function startLoad(port, clients) {
  const command = ['-c', CLIENT_CORE, process.execPath, LOAD, String(port), String(clients)];
  const child = spawn('taskset', command, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    stop: () => child.disconnect(),
    /** @returns {Promise<number>} */
    answers: async () => {
      child.send('answers');
      return (await once(child, 'message'))[0];
    },
  };
}

/**
 * @param {ReturnType<typeof startLoad>} load
 * @param {number} pid of the worker
 * @param {number} seconds
 * @returns {Promise<Round>}
 */
async function measure(load, pid, seconds) {
  const before = { answers: await load.answers(), cpu: cpuMs(pid), at: performance.now() };
  await pause(seconds * 1000);
  const answers = (await load.answers()) - before.answers;
  const [cpu, lasted] = [cpuMs(pid) - before.cpu, performance.now() - before.at];
  return { perSecond: (answers * 1000) / lasted, cpuNs: (cpu * 1e6) / answers };
}
