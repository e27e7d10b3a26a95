/** Point 5: what an app in a crash loop costs, and what its healthy neighbour feels of it. */
import { readFileSync } from 'node:fs';
import { app } from '../../test/support/home.js';
import { ask } from '../../test/support/http-ask.js';
import { freePort } from '../../test/support/ports.js';
import { until } from '../../test/support/until.js';
import { inHome, versionOf } from '../bench-home.js';

crashLoops.heads = [
  'Node',
  'loop',
  'starts',
  'ends',
  'CPU of its primary ms',
  'neighbour p99 ms',
  'alone',
];

/** Kernel ticks a second, as proc(5) counts CPU time. */
const TICKS = 100;

const loops = [
  ['at load', 'throws-at-load.cjs', {}],
  ['after 1.1 s', 'dies-after-listen.cjs', { LIVES_MS: '1100' }],
  ['exit code 0', 'exits-0.cjs', {}],
];

/**
 * @param {string} node
 * @returns {Promise<(string | number)[][]>}
 */
export async function crashLoops(node) {
  const rows = [];
  for (const [name, program, env] of /** @type {[string, string, object][]} */ (loops)) {
    rows.push(await inHome((home) => measure(home, { node, name, program, env })));
  }
  return rows;
}

/**
 * @param {import('./served.js').Home} home
 * @param {{node: string, name: string, program: string, env: object}} given
 */
async function measure(home, { node, name, program, env }) {
  const port = await freePort();
  await home.ok(['start', app('http-pid.cjs'), '--name', 'neighbour'], {
    node,
    env: { PORT: String(port) },
  });
  const alone = await p99(port, 2000);
  const PORT = String(await freePort());
  await home.run(['start', app(program), '--name', 'loop'], { node, env: { ...env, PORT } });
  const beside = await p99(port, 2000);
  const loop = await until(
    async () => {
      const entry = await home.appNamed('loop');
      return entry.workers[0].status === 'errored' && entry;
    },
    'the loop to end',
    300_000,
  );
  const cpu = Math.round((cpuTicksOf(loop.primaryPid) / TICKS) * 1000);
  const starts = loop.restarts + 1;
  return [versionOf(node), name, starts, loop.workers[0].status, cpu, beside, alone];
}

/**
 * @param {number} port
 * @param {number} count
 */
async function p99(port, count) {
  const times = [];
  for (let asked = 0; asked < count; asked++) {
    const start = performance.now();
    await ask(port);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(count * 0.99)].toFixed(1);
}

/** @param {number} pid user and system time, fields 14 and 15 of proc(5) */
function cpuTicksOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
