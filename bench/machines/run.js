/**
 * Three machines behind HAProxy: requests lost in reloads, a stop, a death and with a pulled cable. The machines are
 * network namespaces of this one, and share its cores.
 * Needs Linux, root and haproxy in PATH.
 * node bench/machines/run.js [--clients 12]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { inHome } from '../../test/support/home.js';
import { generateLoad } from '../../test/support/http-load.js';
import { killAll } from '../../test/support/processes.js';
import { spawnClean } from '../../test/support/spawn-clean.js';
import { until } from '../../test/support/until.js';
import { benchArguments } from '../arguments.js';
import { startBalancer } from '../../test/support/balancer.js';
import { BALANCER, enterNamespace, makeBridge, makeMachine } from './network.js';
import { printTable } from '../table.js';

/**
 * @typedef {Awaited<ReturnType<typeof makeMachine>> & {
 *   home: Parameters<Parameters<typeof inHome>[0]>[0],
 *   kill: () => Promise<unknown>,
 * }} Machine
 * @typedef {ReturnType<typeof generateLoad>} Load
 * @typedef {Awaited<ReturnType<typeof startBalancer>>} Balancer
 */

const MACHINES = 3;
const PORT = 3000;
const PROBES = 9464;
const FRONT = 8000;
const BIN = fileURLToPath(new URL('../../bin/nodecluster.js', import.meta.url));
const SERVER = fileURLToPath(new URL('../../test/fixtures/apps/slow-20ms.mjs', import.meta.url));
const FILE = `apps:
  - name: shop
    script: ${SERVER}
    instances: 2
    env: {PORT: ${PORT}}
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
      const probes = spawnClean(machine.node, [BIN, 'metrics', '--listen', `0.0.0.0:${PROBES}`], {
        env: home.env,
        stdio: 'ignore',
      });
      const kill = () => killAll(home.root);
      await withMachines([...made, { ...machine, home, kill }], root, measure);
      probes.kill('SIGKILL');
    } finally {
      machine.setLink(true);
      machine.remove();
    }
  });
}

/** @param {Machine[]} machines @param {string} root */
async function measureAll(machines, root) {
  const balancer = await startBalancer(root, {
    listen: `${BALANCER}:${FRONT}`,
    servers: machines.map(({ address }) => `${address}:${PORT}`),
    probePort: PROBES,
  });
  const rows = [];
  try {
    await until(() => areUp(balancer), 'HAProxy to see three machines');
    const load = () =>
      generateLoad({ host: BALANCER, port: FRONT, clients: numbers.clients, failuresKept: 1000 });
    for (const measure of [reloads, stop, death, unplugged]) {
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
  return servers.every(({ status, check }) => status === 'UP' && check.endsWith('L7OK'));
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
