/**
 * The cost of nodecluster itself: memory of daemon and primary (PSS, Linux only) for one app with
 * two workers, and the wall time of `ls` compared with `node -e 0`.
 * node bench/cost.js [--node <binary>]… [--runs 20]
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { app } from '../test/support/home.js';
import { freePort } from '../test/support/ports.js';
import { spawnClean } from '../test/support/spawn-clean.js';
import { benchArguments } from './arguments.js';
import { inHome, versionOf } from './bench-home.js';
import { median, printTable } from './table.js';

const BIN = fileURLToPath(new URL('../bin/nodecluster.js', import.meta.url));

const { nodes, numbers } = benchArguments({ runs: 20 });
const rows = [];
for (const node of nodes) rows.push(await measure(node));
printTable(
  ['Node', 'daemon PSS MB', 'primary PSS MB', 'both', 'ls ms', 'node -e 0 ms', 'ratio'],
  rows,
);

/** @param {string} node @returns {Promise<(string|number)[]>} */
function measure(node) {
  return inHome(async ({ ok, list, env }) => {
    const start = ['start', app('http-pid.cjs'), '-i', '2', '--name', 'api'];
    await ok(start, { node, env: { PORT: String(await freePort()) } });
    const times = { ls: /** @type {number[]} */ ([]), nothing: /** @type {number[]} */ ([]) };
    for (let run = 0; run < numbers.runs; run++) {
      times.ls.push(await wallTime(node, [BIN, 'ls'], env));
      times.nothing.push(await wallTime(node, ['-e', '0'], env));
    }
    const { daemon, apps } = await list();
    const memory = [pssOf(daemon.pid), pssOf(apps[0].primaryPid)];
    const [ls, nothing] = [median(times.ls), median(times.nothing)];
    return [
      versionOf(node),
      ...[...memory, memory[0] + memory[1]].map((megabytes) => megabytes.toFixed(1)),
      Math.round(ls),
      Math.round(nothing),
      (ls / nothing).toFixed(1),
    ];
  });
}

/**
 * @param {string} node
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>} milliseconds
 */
async function wallTime(node, args, env) {
  const start = performance.now();
  await once(spawnClean(node, args, { env, stdio: 'ignore' }), 'close');
  return performance.now() - start;
}

/** @param {number} pid @returns {number} megabytes; a page that n processes share counts 1/n */
function pssOf(pid) {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(
    readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'),
  ) ?? ['', 'NaN'];
  return Number(kilobytes) / 1024;
}
