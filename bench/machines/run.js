/**
 * Three machines behind HAProxy: requests lost in reloads, a stop and a death, and where the load
 * goes when one machine is busy. The machines are network namespaces of this one, and share its cores.
 * Needs Linux, root and haproxy in PATH.
 * node bench/machines/run.js [--clients 12]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLoad } from '../../test/support/http-load.js';
import { processesOf } from '../../test/support/processes.js';
import { spawnClean } from '../../test/support/spawn-clean.js';
import { until } from '../../test/support/until.js';
import { benchArguments } from '../arguments.js';
import { inHome } from '../bench-home.js';
import { startBalancer } from './balancer.js';
import { BALANCER, enterNamespace, makeBridge, makeMachine } from './network.js';
import { printTable } from '../table.js';

/**
 * @typedef {Awaited<ReturnType<typeof makeMachine>> & {
 *   home: Parameters<Parameters<typeof inHome>[0]>[0],
 *   kill: () => Promise<unknown>,
 * }} Machine
 * @typedef {ReturnType<typeof startLoad>} Load
 * @typedef {Awaited<ReturnType<typeof startBalancer>>} Balancer
 */

const MACHINES = 3;
const PORT = 3000;
const FRONT = 8000;
const SHARE_MS = 10_000;
/** Several intervals of the agent, and the time in which a weight changes. */
const SETTLE_MS = 30_000;
const BIN = fileURLToPath(new URL('../../bin/nodecluster.js', import.meta.url));
const SERVER = fileURLToPath(new URL('server.cjs', import.meta.url));
const FILE = `apps:
  - name: shop
    script: ${SERVER}
    instances: 2
    env: {PORT: ${PORT}}

    health: {http: /health}
    shutdown_delay: 5s
`;

const { numbers } = benchArguments({ clients: 12 });
process.exitCode = enterNamespace(fileURLToPath(import.meta.url)) ?? (await run());

async function run() {
  if (spawnSync('haproxy', ['-v']).status !== 0) {
    console.error('haproxy is not in PATH.');
    return 1;
  }
  makeBridge();
  const root = mkdtempSync(`${tmpdir()}/nc-machines-`);
  try {
    await withMachines([], root, (machines) => measureAll(machines, root));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return 0;
}

/** @param {Machine[]} made @param {string} root @param {(machines: Machine[]) => Promise<void>} measure @returns {Promise<void>} */
function withMachines(made, root, measure) {
  if (made.length === MACHINES) return measure(made);
  return inHome(async (home) => {
    const machine = await makeMachine(made.length + 1, home.root);
    try {
      writeFileSync(`${home.root}/ecosystem.yml`, FILE);
      await home.ok(['start'], { node: machine.node });
      const agent = spawnClean(machine.node, [BIN, 'agent', '--listen', '9500'], {
        env: home.env,
        stdio: 'ignore',
      });
      const kill = () => killAll(home.root);
      await withMachines([...made, { ...machine, home, kill }], root, measure);
      agent.kill('SIGKILL');
    } finally {
      machine.setLink(true);
      machine.remove();
    }
  });
}

/** A primary starts the next daemon, so once is not enough. @param {string} root */
function killAll(root) {
  return until(() => {
    const pids = processesOf(root);
    for (const pid of pids) spawnSync('kill', ['-KILL', String(pid)]);
    return pids.length === 0;
  }, 'every process to be killed');
}

/** @param {Machine[]} machines @param {string} root */
async function measureAll(machines, root) {
  const [{ home, node }] = machines;
  const addresses = machines.map(({ address }) => address).join();
  const { stdout: backend } = await home.ok(['export', 'haproxy', '--servers', addresses], {
    node,
  });
  const balancer = await startBalancer(root, { backend, host: BALANCER, port: FRONT });
  const rows = [];
  try {
    await until(() => areUp(balancer), 'HAProxy to see three machines');
    const load = () =>
      startLoad({ host: BALANCER, port: FRONT, clients: numbers.clients, failuresKept: 1000 });
    for (const measure of [reloads, overload, stop, death, unplugged]) {
      rows.push(await measure(machines, balancer, load()));
    }
  } finally {
    await balancer.stop();
  }
  printTable(['what', 'requests', 'lost', 'seen'], rows);
}

/** @param {Balancer} balancer */
async function areUp(balancer) {
  const servers = Object.values(await balancer.servers());
  return servers.every(({ status, weight, agent }) => {
    return status === 'UP' && weight > 0 && agent.endsWith('L7OK');
  });
}

/** @typedef {(machines: Machine[], balancer: Balancer, load: Load) => Promise<(string | number)[]>} Measure */

/** @type {Measure} */
async function reloads(machines, balancer, load) {
  for (const { home, node } of machines) {
    await load.answers(200);
    await home.ok(['reload', 'shop'], { node });
  }
  await load.answers(200);
  return row('a reload on each machine in turn', load, '');
}

/** @type {Measure} */
async function overload([first], balancer, load) {
  const before = await sharesOf(balancer);
  const busy = startLoad({
    host: first.address,
    port: PORT,
    path: '/occupy',
    clients: 8,
    thinkMs: 0,
  });
  await pause(SETTLE_MS);
  const { machine1 } = await balancer.servers();
  const during = await sharesOf(balancer);
  await busy.stop();
  await pause(SETTLE_MS);
  const after = await sharesOf(balancer);
  const { weight } = (await balancer.servers()).machine1;
  const seen = `its share ${before} % before, ${during} % with weight ${machine1.weight}, ${after} % with weight ${weight} after`;
  return row('machine 1 is overloaded by other requests', load, seen);
}

/** @type {Measure} */
async function stop([, , third], balancer, load) {
  await load.answers(200);
  await third.home.ok(['stop', 'shop'], { node: third.node });
  await until(async () => (await balancer.servers()).machine3.status.startsWith('DOWN'), 'DOWN');
  const { machine3 } = await balancer.servers();
  await load.answers(200);
  await third.home.ok(['start', 'shop'], { node: third.node });
  await until(() => areUp(balancer), 'machine 3 to be back');
  return row(
    '`nodecluster stop` on machine 3, then start',
    load,
    `${machine3.status} while stopped`,
  );
}

/** @type {Measure} */
async function death([, second], balancer, load) {
  return lossOf('every process of machine 2 is killed', 'machine2', balancer, load, second.kill);
}

/** @type {Measure} */
async function unplugged([, , third], balancer, load) {
  return lossOf('machine 3 is unplugged', 'machine3', balancer, load, () => third.setLink(false));
}

/** @param {string} what @param {string} name @param {Balancer} balancer @param {Load} load @param {() => unknown} happen */
async function lossOf(what, name, balancer, load, happen) {
  await load.answers(200);
  await happen();
  const happenedAt = Date.now();
  const isDown = async () => (await balancer.servers())[name].status.startsWith('DOWN');
  await until(isDown, 'HAProxy to notice');
  const seconds = ((Date.now() - happenedAt) / 1000).toFixed(1);
  await load.answers(500);
  const { failures } = await load.stop();
  const before = failures.filter(({ askedAt }) => askedAt <= happenedAt).length;
  const after = failures.length - before;
  return row(what, load, `${before} were in flight, ${after} came later; DOWN after ${seconds} s`);
}

/** @param {string} what @param {Load} load @param {string} seen */
async function row(what, load, seen) {
  const { made, failed, codes } = await load.stop();
  const why = failed === 0 ? '' : ` ${JSON.stringify(codes)}`;
  console.error(`${what}: ${made} requests, ${failed} lost${why}; ${seen}`);
  return [what, made, failed, seen];
}

/** @param {Balancer} balancer @returns {Promise<number>} percent of new requests that machine 1 got */
async function sharesOf(balancer) {
  const before = await balancer.servers();
  await pause(SHARE_MS);
  const after = await balancer.servers();
  const counts = Object.keys(after).map((name) => after[name].total - before[name].total);
  return Math.round((100 * counts[0]) / counts.reduce((sum, count) => sum + count));
}
