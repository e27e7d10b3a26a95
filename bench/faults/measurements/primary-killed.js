/**
 * Kills of the primary: time without an answer, and requests lost. Each kill has its own home, because
 * the daemon waits longer before each further restart of the same primary.
 */
import { readFileSync } from 'node:fs';
import { answerOf } from '../../../test/support/http-ask.js';
import { until } from '../../../test/support/until.js';
import { BY_SCHEDULING, count, middle, most, zero } from '../figures.js';
import { underRequestLoad } from '../traffic/request-load.js';

/**
 * @import { Column, Table } from '../figures.js'
 * @import { Conditions, Measurement } from '../measurements.js'
 * @import { LoadedApp } from '../traffic/request-load.js'
 * @import { Supervisor } from '../supervisors/supervisor.js'
 */

/** Requests in flight when the primary is killed, and the duration of each. */
const SLOW = 20;
const SLOW_MS = 500;

/** @type {Column[]} */
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

/** @type {Table[]} */
const tables = [
  {
    name: 'primary',
    title: 'The primary killed',
    by: {},
    apart: BY_SCHEDULING,
    columns,
  },
  {
    name: 'primary-adopted',
    title: 'The primary killed, when an earlier daemon had started it',
    by: {},
    apart: BY_SCHEDULING,
    columns,
  },
];
/** @type {Record<string, (app: LoadedApp) => Promise<Killed>>} */
const KILLS = { primary: killPrimary, 'primary-adopted': killAdopted };

/** @type {Measurement} */
export const primaryKilled = { name: 'primary', tables, measure };

/**
 * @typedef {object} Killed
 * @property {number} lost of the slow requests
 * @property {number} ms the longest time in which nobody got an answer
 */

/**
 * @param {Supervisor} supervisor
 * @param {Conditions} conditions
 */
async function measure(supervisor, { node, scheduling, numbers }) {
  if (supervisor.name === 'PM2') throw new Error('its primary is its daemon: all apps die with it');
  const rows = [];
  for (const [table, kill] of Object.entries(KILLS)) {
    for (let kills = 0; kills < numbers.primaries; kills++) {
      rows.push({
        table,
        kills: 1,
        slow: SLOW,
        ...(await underRequestLoad({ node, scheduling }, kill)),
      });
    }
  }
  return rows;
}

/** @param {LoadedApp} app @returns {Promise<Killed>} */
async function killAdopted(app) {
  const { daemon } = await app.home.list();
  process.kill(daemon.pid, 'SIGKILL');
  await until(async () => (await app.home.list()).daemon.pid !== daemon.pid, 'the next daemon');
  return killPrimary(app);
}

/**
 * @param {LoadedApp} app
 * @returns {Promise<Killed>}
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
