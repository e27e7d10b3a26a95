/** All measurements, in the order in which they run. */
import { brokenVersions } from './measurements/broken-versions.js';
import { crashLoops } from './measurements/crash-loops.js';
import { strays } from './measurements/stray-processes.js';
import { primaryKilled } from './measurements/primary-killed.js';
import { interrupted } from './measurements/interrupted.js';
import { reloads } from './measurements/reloads.js';
import { scale } from './measurements/scale.js';
import { allKilled, workerKills } from './measurements/worker-kills.js';

/**
 * @import { Table } from './figures.js'
 * @import { Supervisor } from './supervisors/supervisor.js'
 */

/**
 * @typedef {object} Conditions
 * @property {string} node its binary
 * @property {string} scheduling
 * @property {Record<string, number>} numbers how often, how long
 * @property {string[]} commands that are interrupted; none: all
 *
 * @typedef {object} Measurement
 * @property {string} name
 * @property {Table[]} tables
 * @property {(supervisor: Supervisor, conditions: Conditions) =>
 *   Promise<({table: string} & Record<string, any>)[]>} measure
 */

/** @type {Measurement[]} */
export const measurements = [
  reloads,
  scale,
  brokenVersions,
  workerKills,
  allKilled,
  primaryKilled,
  interrupted,
  crashLoops,
  strays,
];
