/** The figures that decide, one row each, and who is better than nodecluster. */
import { PEERS } from '../candidates.js';
import { ratioOf, spreadOf } from '../../statistics.js';
import { numberText, of } from './tables.js';

/**
 * @import { Figure } from '../types.js'
 * @import { Spread } from '../../statistics.js'
 * @import { Block } from './tables.js'
 */

/** A difference below this is not distinguished from noise after a single round. */
const NOISE = 0.1;
/** As many lost requests: one may be on its way to a worker that is killed. */
const CHANCE = 1;

/** What a user gets who sets nothing. */
const OURS = ['nodecluster, fair', 'nodecluster'];

/** Case, variant, figure and title of each row. */
const LINES = `
lost-requests | reload | lost | lost requests: reload
lost-requests | broken release | lost | lost requests: reload to a version that throws
lost-requests | worker killed | lost | lost requests: a worker is killed (Watt: its only process)
lost-requests | supervisor killed | lost | lost requests: the parent of the workers is killed, without an init system
blocked-workers | all workers but one blocked | late | of 200 requests, slower than 1 s while all workers but one are blocked
slow-and-fast | GET /slow and GET /fast | slowestFastMs | longest ms of a fast request sent with a slow one
balance | 200 connections | most | connections of the fullest worker (even share: 25)
reload-times | 1 app, 8 workers | lost | lost requests: reload of 8 workers
reload-times | 1 app, 2 workers | seconds | seconds of a reload of 2 workers
start-up | start | ms | ms from a cold start to the first answer
start-up | crash | ms | ms from a killed worker to the answer of the next
commands | ls | cpuToNode | CPU of \`ls\` (ratio to \`node -e 0\`)
apps | 1 app, cluster | megabytes | MB beside the workers: 1 app, cluster mode
apps | 100 apps, cluster | megabytes | MB beside the workers: 100 apps
apps | 500 apps, cluster | megabytes | MB beside the workers: 500 apps
apps | 100 apps, cluster | tree | MB with the workers: 100 apps
apps | 100 apps, cluster | idle | % of a core while 100 apps are idle
apps | 100 apps, cluster | start | seconds of a start of 100 apps
connections | a connection for each request | perSecond | requests/s, a connection for each request (ratio)
connections | kept connections | perSecond | requests/s, kept connections (ratio)
wakeups | 64 workers, 50 clients | cpuUs | CPU µs of a connection to 64 workers
connections | a connection for each request | cpuUs | CPU of a request, a connection for each request (ratio)
connections | kept connections | cpuUs | CPU of a request, kept connections (ratio)`
  .trim()
  .split('\n')
  .map((row) => row.split(' | '))
  .map(([name, variant, figure, title]) => ({ name, variant, figure, title }));

/** @param {Block[]} blocks @returns {{heads: string[], rows: string[][]}} */
export function summaryOf(blocks) {
  return {
    heads: ['what', 'nodecluster', ...PEERS, 'better'],
    rows: LINES.flatMap((each) => {
      const block = blocks.find(({ name }) => name === each.name);
      const figure = block?.measured.figures.find(({ key }) => key === each.figure);
      return block && figure ? [rowOf(each, block, figure)] : [];
    }),
  };
}

/** @param {typeof LINES[0]} line @param {Block} block @param {Figure} figure */
function rowOf({ variant, title }, { measured, rows }, figure) {
  const [base] = measured.candidates;
  const isRatio = base === 'single process' && figure.isRatio === true;
  const digits = isRatio ? 2 : figure.digits;
  const spreadFor = (/** @type {string} */ name) => {
    const own = of(rows, variant, name);
    return isRatio
      ? ratioOf(own, of(rows, variant, base), figure.key)
      : spreadOf(own.map(({ figures }) => figures?.[figure.key] ?? NaN));
  };
  const ours = OURS.map(spreadFor).find((spread) => spread !== null) ?? null;
  const theirs = PEERS.map((name) => ({ name, spread: spreadFor(name) }));
  return [
    title,
    ...[ours, ...theirs.map(({ spread }) => spread)].map((spread) =>
      numberText(spread?.median, digits),
    ),
    bestOf(ours, theirs, figure),
  ];
}

/**
 * @param {Spread | null} ours
 * @param {{name: string, spread: Spread | null}[]} theirs
 * @param {Figure} figure
 * @returns {string} '': none is better than ours
 */
function bestOf(ours, theirs, { key, better }) {
  const sign = better === 'more' ? -1 : 1;
  const order = (/** @type {Spread | null} */ spread) => (spread ? sign * spread.median : Infinity);
  const [best] = [...theirs].sort((a, b) => order(a.spread) - order(b.spread));
  if (!ours || !best.spread) return '';
  return isBetter(best.spread, ours, key, sign) ? best.name : '';
}

/** @param {Spread} theirs @param {Spread} ours @param {string} key @param {number} sign -1: more is better */
function isBetter(theirs, ours, key, sign) {
  const by = sign * (ours.median - theirs.median);
  if (key === 'lost' || key === 'late') return by > CHANCE;
  if (Math.min(theirs.rounds, ours.rounds) === 1) return by > NOISE * ours.median;
  return sign < 0 ? theirs.low > ours.high : theirs.high < ours.low;
}
