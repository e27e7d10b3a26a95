/**
 * What faults cost: requests lost, clients left without an answer, time until all is well.
 * node bench/faults.js [--node <binary>]… [--reloads 100] [--kills 300] [--rounds 20]
 * Prints a table a point; docs/reliability.md holds the figures. Not part of `npm test`: it takes
 * about an hour for each version of Node.
 */
import { benchArguments } from './arguments.js';
import { printTable } from './table.js';
import { allKilled } from './faults/all-killed.js';
import { crashLoops } from './faults/crash-loops.js';
import { primaryKilled } from './faults/primary-killed.js';
import { reloads } from './faults/reloads.js';
import { workerKills } from './faults/worker-kills.js';

const { nodes, numbers } = benchArguments({ reloads: 100, kills: 300, rounds: 20 });
const points = [
  ['Reloads under load', reloads],
  ['A worker killed', workerKills],
  ['All workers killed at once', allKilled],
  ['The primary killed', primaryKilled],
  ['Crash loops beside a healthy app', crashLoops],
];
for (const [title, point] of /** @type {[string, typeof reloads][]} */ (points)) {
  /** @type {(string | number)[][]} */
  const rows = [];
  for (const node of nodes) rows.push(...(await point(node, numbers)));
  console.log(`\n${title}\n`);
  printTable(point.heads, rows);
}
