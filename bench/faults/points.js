/** What is measured, in the order in which it is. */
import { allKilled } from './all-killed.js';
import { brokenVersions } from './broken-versions.js';
import { crashLoops } from './crash-loops.js';
import { orphans } from './orphans.js';
import { primaryKilled } from './primary-killed.js';
import { reloads } from './reloads.js';
import { workerKills } from './worker-kills.js';

/**
 * @import { Table } from './figures.js'
 * @import { Supervisor } from './supervisors/supervisor.js'
 */

/**
 * @typedef {object} Given
 * @property {string} node its binary
 * @property {string} scheduling
 * @property {Record<string, number>} numbers how often, how long
 *
 * @typedef {object} Point
 * @property {string} name
 * @property {Table[]} tables
 * @property {(supervisor: Supervisor, given: Given) =>
 *   Promise<({table: string} & Record<string, any>)[]>} measure
 */

/** @type {Point[]} */
export const points = [
  ...[reloads, brokenVersions, workerKills, allKilled, primaryKilled, crashLoops, orphans],
];
