/**
 * Kills of the primary: time without an answer, and requests lost. Each kill has its own home, because
 * the daemon waits longer before each further restart of the same primary.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, inHome } from '../../../test/support/home.js';
import { answerOf } from '../../../test/support/http-ask.js';
import { generateLoad } from '../../../test/support/http-load.js';
import { freePort } from '../../../test/support/ports.js';
import { until } from '../../../test/support/until.js';
import { count, middle, most, sum, zero } from '../figures.js';

/**
 * @import { Home } from '../../../test/support/home.js'
 * @import { Measurement } from '../measurements.js'
 *
 * @typedef {object} LoadedApp
 * @property {Home} home
 * @property {number} port
 * @property {string} ids the file of the requests that were executed
 * @property {ReturnType<typeof generateLoad>[]} loads
 */

/** Clients with a kept connection, and as many that open one for each request. */
const CLIENTS = 10;
/** Requests in flight when the primary is killed, and the duration of each. */
const SLOW = 20;
const SLOW_MS = 500;

const columns = [
  count('kills', 'kills'),
  count('requests', 'made'),
  zero('refused', 'refused'),
  count('reset', 'reset'),
  zero('otherwise lost', 'other'),
  count('slow ones in flight', 'slow'),
  zero('lost', 'lost'),
  { head: 'median ms without answer', of: 'ms', over: middle },
  { head: 'longest', of: 'ms', over: most },
];

const KILLS = { primary: killPrimary, 'primary-adopted': killAdopted };

/** @type {Measurement} */
export const primaryKilled = {
  name: 'primary',
  tables: [
    { name: 'primary', title: 'The primary killed', columns },
    {
      name: 'primary-adopted',
      title: 'The primary killed, when an earlier daemon had started it',
      columns,
    },
  ],
  async measure(supervisor, { node, scheduling, numbers }) {
    if (supervisor.name === 'PM2')
      throw new Error('its primary is its daemon: all apps die with it');
    const rows = [];
    for (const [table, kill] of Object.entries(KILLS)) {
      for (let kills = 0; kills < numbers.primaries; kills++) {
        const figures = await underLoad({ node, scheduling }, kill);
        rows.push({ table, kills: 1, slow: SLOW, ...figures });
      }
    }
    return rows;
  },
};

/** @param {{node: string, scheduling: string}} options @param {(loaded: LoadedApp) => ReturnType<typeof killPrimary>} kill */
function underLoad({ node, scheduling }, kill) {
  return inHome(async (home) => {
    const port = await freePort();
    const ids = join(home.root, 'ids');
    const env = { PORT: String(port), IDS: ids };
    const start = ['start', app('notes-ids.cjs'), '-i', '2', '--name', 'api'];
    await home.ok([...start, '--scheduling', scheduling], { node, env });
    const loads = [true, false].map((keepAlive) =>
      generateLoad({ port, keepAlive, clients: CLIENTS, thinkMs: 0, prefix: `${keepAlive}-` }),
    );
    await Promise.all(loads.map((load) => load.answers(50)));
    const found = await kill({ home, port, ids, loads });
    const ended = await Promise.all(loads.map((load) => load.stop()));
    const refused = sum(ended.map(({ codes }) => codes.ECONNREFUSED ?? 0));
    const reset = sum(ended.map(({ codes }) => codes.ECONNRESET ?? 0));
    const other = sum(ended.map(({ failed }) => failed)) - refused - reset;
    return { ...found, made: sum(ended.map(({ made }) => made)), refused, reset, other };
  });
}

/** @param {LoadedApp} app */
async function killAdopted(app) {
  const { daemon } = await app.home.list();
  process.kill(daemon.pid, 'SIGKILL');
  await until(async () => (await app.home.list()).daemon.pid !== daemon.pid, 'the next daemon');
  return killPrimary(app);
}

/**
 * @param {LoadedApp} app
 * @returns {Promise<{lost: number, ms: number}>} lost: of the slow requests; ms: the longest time in which nobody
 *   got an answer
 */
async function killPrimary({ home, port, ids, loads }) {
  const { primaryPid } = await home.appNamed('api');
  const slow = Array.from({ length: SLOW }, (_, index) => isAnswered(port, `slow-${index}`));
  const isBegun = () => readFileSync(ids, 'utf8').match(/^slow-/gm)?.length === SLOW;
  await until(isBegun, 'the slow requests to begin');
  for (const load of loads) load.state.longestGapMs = 0;
  process.kill(primaryPid, 'SIGKILL');
  const answers = await Promise.all(slow);
  await until(async () => {
    const app = await home.appNamed('api');
    return app.primaryPid !== primaryPid && app.status === 'online';
  }, 'the app to be online again');
  await Promise.all(loads.map((load) => load.answers(200)));
  const longest = Math.max(...loads.map((load) => load.state.longestGapMs));
  return { lost: answers.filter((isGood) => !isGood).length, ms: Math.round(longest) };
}

/**
 * @param {number} port
 * @param {string} id
 * @returns {Promise<boolean>} whether a request that takes a while gets its answer
 */
function isAnswered(port, id) {
  return answerOf({ port, path: `/${SLOW_MS}`, headers: { 'x-request-id': id } }).then(
    ({ headers }) => headers['x-request-id'] === id,
    () => false,
  );
}
