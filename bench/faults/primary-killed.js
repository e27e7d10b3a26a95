/**
 * The primary itself killed: how long nobody answers, and what is lost. Each time in a home of its
 * own, since a primary that dies again and again is started ever later.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { until } from '../../test/support/until.js';
import { versionOf } from '../bench-home.js';
import { median } from '../table.js';
import { served } from './served.js';

/** Requests that are in flight when the primary is killed, and how long each of them takes. */
const SLOW = 20;
const SLOW_MS = 500;

primaryKilled.heads = [
  'Node',
  'scheduling',
  'kills',
  'requests',
  'refused',
  'reset',
  'other',
  'slow in flight',
  'of them lost',
  'median ms',
  'longest ms',
];

/**
 * @param {string} node
 * @param {Record<string, number>} numbers
 * @returns {Promise<(string | number)[][]>}
 */
export async function primaryKilled(node, { rounds }) {
  const rows = [];
  for (const scheduling of ['round-robin', 'shared']) {
    const sums = { made: 0, refused: 0, reset: 0, other: 0, lost: 0 };
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const { made, failed, byCode, more } = await served({ node, scheduling }, killed);
      const { ECONNREFUSED: refused = 0, ECONNRESET: reset = 0 } = byCode;
      const [lost, ms] = more.map(Number);
      const other = failed - refused - reset;
      const counts = { made, refused, reset, other, lost };
      for (const key of /** @type {(keyof typeof sums)[]} */ (Object.keys(sums)))
        sums[key] += counts[key];
      times.push(ms);
    }
    const { made, refused, reset, other, lost } = sums;
    const counts = [rounds, made, refused, reset, other, rounds * SLOW, lost];
    rows.push([versionOf(node), scheduling, ...counts, median(times), Math.max(...times)]);
  }
  return rows;
}

/**
 * @param {import('./served.js').Loaded} app
 * @returns {Promise<number[]>} slow requests that were lost; longest time without an answer, in ms
 */
async function killed({ home, port, ids, loads }) {
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
  return [answers.filter((isGood) => !isGood).length, Math.round(longest)];
}

/**
 * @param {number} port
 * @param {string} id
 * @returns {Promise<boolean>} whether a request that takes a while gets its answer
 */
function isAnswered(port, id) {
  return new Promise((resolve) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      path: `/${SLOW_MS}`,
      agent: false,
      headers: { 'x-request-id': id },
    });
    asked.on('error', () => resolve(false));
    asked.on('response', (response) => {
      response.on('error', () => resolve(false));
      response.resume().on('end', () => resolve(response.headers['x-request-id'] === id));
    });
    asked.end();
  });
}
