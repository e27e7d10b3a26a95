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
  ...['Node', 'scheduling', 'started by', 'kills', 'requests', 'refused', 'reset', 'other'],
  ...['slow in flight', 'of them lost', 'median ms', 'longest ms'],
];

/** A daemon that has only adopted the primary holds no copy of its sockets. */
const STARTERS = { 'this daemon': killPrimary, 'an earlier one': killAdopted };

/**
 * @param {string} node
 * @param {Record<string, number>} numbers
 * @returns {Promise<(string | number)[][]>}
 */
export async function primaryKilled(node, { rounds }) {
  const rows = [];
  for (const [starter, kill] of Object.entries(STARTERS)) {
    for (const scheduling of ['round-robin', 'shared']) {
      const killed = [];
      for (let round = 0; round < rounds; round++) {
        killed.push(await served({ node, scheduling }, kill));
      }
      rows.push([versionOf(node), scheduling, starter, rounds, ...summary(killed)]);
    }
  }
  return rows;
}

/** @param {Awaited<ReturnType<typeof served>>[]} killed */
function summary(killed) {
  /** @param {(one: (typeof killed)[number]) => number} count */
  const sum = (count) => killed.reduce((total, one) => total + count(one), 0);
  const refused = sum(({ byCode }) => byCode.ECONNREFUSED ?? 0);
  const reset = sum(({ byCode }) => byCode.ECONNRESET ?? 0);
  const other = sum(({ failed }) => failed) - refused - reset;
  const lost = sum(({ more: [lost] }) => Number(lost));
  const times = killed.map(({ more: [, ms] }) => Number(ms));
  const made = sum((one) => one.made);
  const slow = [killed.length * SLOW, lost];
  return [made, refused, reset, other, ...slow, median(times), Math.max(...times)];
}

/** @param {import('./served.js').Loaded} app */
async function killAdopted(app) {
  const { daemon } = await app.home.list();
  process.kill(daemon.pid, 'SIGKILL');
  await until(async () => (await app.home.list()).daemon.pid !== daemon.pid, 'the next daemon');
  return killPrimary(app);
}

/**
 * @param {import('./served.js').Loaded} app
 * @returns {Promise<number[]>} slow requests that were lost; longest time without an answer, in ms
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
