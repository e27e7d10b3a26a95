/** An app that notes every request that it executes, under load from kept and short connections. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from '../../test/support/home.js';
import { startLoad } from '../../test/support/http-load.js';
import { freePort } from '../../test/support/ports.js';
import { inHome } from '../bench-home.js';

/** Deaths that are wanted must not use the budget up, nor wait. */
export const RESTARTS_UNLIMITED = [
  ...['--max-restarts', '100000'],
  ...['--exp-backoff-restart-delay', '0'],
];

/** Clients of each kind. */
const CLIENTS = 10;

/**
 * @typedef {Parameters<Parameters<typeof inHome>[0]>[0]} Home
 * @typedef {object} Loaded
 * @property {Home} home
 * @property {string} node
 * @property {number} port
 * @property {string} ids the file of the requests that were executed
 * @property {ReturnType<typeof startLoad>[]} loads
 */

/**
 * @param {{node: string, scheduling: string, flags?: string[]}} given
 * @param {(loaded: Loaded) => Promise<(string | number)[]>} disturb
 * @returns {Promise<{made: number, failed: number, byCode: Record<string, number>, codes: string,
 *   twice: number, more: (string | number)[]}>} `twice`: executed more than once
 */
export function served({ node, scheduling, flags = [] }, disturb) {
  return inHome(async (home) => {
    const port = await freePort();
    const ids = join(home.root, 'ids');
    const start = ['start', app('notes-ids.cjs'), '-i', '2', '--name', 'api'];
    await home.ok([...start, '--scheduling', scheduling, ...flags], {
      node,
      env: { PORT: String(port), IDS: ids },
    });
    const loads = [true, false].map((keepAlive) =>
      startLoad({ port, keepAlive, clients: CLIENTS, thinkMs: 0, prefix: `${keepAlive}-` }),
    );
    await Promise.all(loads.map((load) => load.answers(50)));
    const more = await disturb({ home, node, port, ids, loads });
    const ended = await Promise.all(loads.map((load) => load.stop()));
    const sum = (/** @type {(end: {made: number, failed: number}) => number} */ pick) =>
      ended.reduce((total, end) => total + pick(end), 0);
    return {
      made: sum((end) => end.made),
      failed: sum((end) => end.failed),
      byCode: byCode(ended),
      codes: Object.entries(byCode(ended))
        .map(([code, count]) => `${count} ${code}`)
        .join(', '),
      twice: twice(ids),
      more,
    };
  });
}

/** @param {{codes: Record<string, number>}[]} ended */
function byCode(ended) {
  /** @type {Record<string, number>} */
  const all = {};
  for (const { codes } of ended) {
    for (const [code, count] of Object.entries(codes)) all[code] = (all[code] ?? 0) + count;
  }
  return all;
}

/** @param {string} file */
function twice(file) {
  const ids = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return ids.length - new Set(ids).size;
}
