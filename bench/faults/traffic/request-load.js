/** An app that records executed requests, under load from persistent and short connections. */
import { join } from 'node:path';
import { app, inHome } from '../../../test/support/home.js';
import { startLoad } from '../../../test/support/http-load.js';
import { freePort } from '../../../test/support/ports.js';
import { sum } from '../figures.js';

/** Clients of each kind. */
const CLIENTS = 10;

/**
 * @typedef {Parameters<Parameters<typeof inHome>[0]>[0]} Home
 * @typedef {object} LoadedApp
 * @property {Home} home
 * @property {string} node
 * @property {number} port
 * @property {string} ids the file of the requests that were executed
 * @property {ReturnType<typeof startLoad>[]} loads
 */

/**
 * @template {object} T
 * @param {{node: string, scheduling: string}} options
 * @param {(loaded: LoadedApp) => Promise<T>} disturb
 * @returns {Promise<T & {made: number, refused: number, reset: number, other: number}>} with the
 *   number of requests made, and of failed ones by kind
 */
export function underRequestLoad({ node, scheduling }, disturb) {
  return inHome(async (home) => {
    const port = await freePort();
    const ids = join(home.root, 'ids');
    const start = ['start', app('notes-ids.cjs'), '-i', '2', '--name', 'api'];
    await home.ok([...start, '--scheduling', scheduling], {
      node,
      env: { PORT: String(port), IDS: ids },
    });
    const loads = [true, false].map((keepAlive) =>
      startLoad({ port, keepAlive, clients: CLIENTS, thinkMs: 0, prefix: `${keepAlive}-` }),
    );
    await Promise.all(loads.map((load) => load.answers(50)));
    const found = await disturb({ home, node, port, ids, loads });
    const ended = await Promise.all(loads.map((load) => load.stop()));
    const made = sum(ended.map((end) => end.made));
    const refused = sum(ended.map(({ codes }) => codes.ECONNREFUSED ?? 0));
    const reset = sum(ended.map(({ codes }) => codes.ECONNRESET ?? 0));
    const other = sum(ended.map(({ failed }) => failed)) - refused - reset;
    return { ...found, made, refused, reset, other };
  });
}
