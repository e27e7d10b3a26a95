/**
 * The cost of telemetry: per request in a separate process without a network, which
 * is exact (telemetry/per-request.js); for a worker under full load, with a bare server and with
 * Express (telemetry/serving.js); and the CPU of daemon, primary and idle workers with and without
 * a client that watches (telemetry/idle.js). Linux only, needs at least two cores.
 * node bench/telemetry.js [--node <binary>]… [--rounds 12] [--seconds 4] [--clients 16]
 *   [--workers 8] [--idle 60]
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchArguments } from './arguments.js';
import { versionOf } from './bench-home.js';
import { median, percentile, printTable } from './table.js';
import { measureIdle } from './telemetry/idle.js';
import { measureServing } from './telemetry/serving.js';

/** A bare server, and the framework that most people use. */
const PROGRAMS = ['http-pid.cjs', 'express-pid.cjs'];
const PER_REQUEST = fileURLToPath(new URL('telemetry/per-request.js', import.meta.url));

const { nodes, numbers } = benchArguments({
  ...{ rounds: 12, seconds: 4, clients: 16, workers: 8, idle: 60 },
});
const added = [];
const served = [];
const idle = [];
for (const node of nodes) {
  idle.push(idleRow(node, await measureIdle(node, /** @type {any} */ (numbers))));
  added.push(perRequest(node));
  for (const program of PROGRAMS) {
    served.push([
      versionOf(node),
      program,
      ...compared(await measureServing(node, program, numbers)),
    ]);
  }
}
printTable(['Node', 'ns CPU/request', 'counting adds', 'and timing'], added);
console.log();
printTable(
  [
    ...['Node', 'program', 'requests/s off', 'on', 'ratio', 'quartiles'],
    ...['ns CPU/request off', 'on', 'ratio', 'quartiles'],
  ],
  served,
);
console.log();
printTable(
  ['Node', 'workers', '% of a core: daemon off', 'on', 'primary off', 'on', 'a worker off', 'on'],
  idle,
);

/** @param {string} node @returns {(string|number)[]} */
function perRequest(node) {
  const { off, counted, timed } = JSON.parse(
    execFileSync(node, [PER_REQUEST], { encoding: 'utf8' }),
  );
  return [versionOf(node), ...[off, counted - off, timed - off].map(Math.round)];
}

/** @param {Awaited<ReturnType<typeof measureServing>>} taken */
function compared({ off, on }) {
  return /** @type {const} */ (['perSecond', 'cpuNs']).flatMap((figure) => {
    const ratios = on.map((round, number) => round[figure] / off[number][figure]);
    const quartiles = [0.25, 0.75].map((share) => percentile(ratios, share).toFixed(3));
    const medians = [off, on].map((rounds) =>
      Math.round(median(rounds.map((round) => round[figure]))),
    );
    return [...medians, median(ratios).toFixed(4), quartiles.join(' to ')];
  });
}

/** @param {string} node @param {Awaited<ReturnType<typeof measureIdle>>} percents */
function idleRow(node, { off, on }) {
  const columns = off.flatMap((percent, index) => [percent, on[index]]);
  return [versionOf(node), numbers.workers, ...columns.map((percent) => percent.toFixed(3))];
}
