/** How long a reload takes under a light load. What is lost by the other ways to fail is in lost-requests. */
import { setTimeout as pause } from 'node:timers/promises';
import { generateLoad } from '../../test/support/http-load.js';
import { startApps } from '../comparison/apps.js';
import { Gap } from '../comparison/gap.js';
import { programOf, serving } from '../comparison/serving.js';

/** @import { Candidate, Case, Program } from '../comparison/types.js' */

const SHAPES = {
  '1 app, 2 workers': { apps: 1, instances: 2 },
  '1 app, 8 workers': { apps: 1, instances: 8 },
  '8 apps, 1 worker each': { apps: 8, instances: 1 },
};
/** A supervisor may take a reload right after the start for one in a loop of crashes. */
const SETTLED_MS = 1_500;
const CLIENTS = 8;
const THINK_MS = 40;
/** An app must have answered that often before the reload begins. */
const FIRST_ANSWERS = 2;

/** @type {Case} */
const reloadTimes = {
  title: 'Duration of a reload',
  // With nodecluster the first new worker must stay up for min_uptime; PM2 does not check that.
  candidates: ['PM2 7', 'nodecluster', 'nodecluster, min_uptime: 0'],
  rounds: 5,
  seconds: 26,
  drawn: 'seconds',
  figures: [
    { key: 'seconds', title: 'seconds', better: 'less', digits: 2, isRatio: true },
    { key: 'requests', title: 'requests', better: 'more' },
    { key: 'lost', title: 'lost', better: 'less' },
    { key: 'missing', title: 'missing', better: 'less' },
  ],
  measure: (conditions) =>
    serving(conditions, { script: programOf('expensive.cjs'), path: '/fast' }, async (served) => {
      const measured = [];
      for (const [variant, shape] of Object.entries(SHAPES)) {
        const ports = await startApps(conditions.candidate, served.program, shape);
        const figures = await reloadAll(conditions.candidate, served.program, ports, shape);
        measured.push({ variant, figures });
      }
      return measured;
    }),
};

export default reloadTimes;

/**
 * @param {Candidate} candidate
 * @param {Program} program
 * @param {number[]} ports
 * @param {{instances: number}} shape
 */
async function reloadAll({ name, run }, program, ports, { instances }) {
  if (run === undefined) throw new Gap('has no reload');
  const clients = CLIENTS / ports.length;
  const loads = ports.map((port) =>
    generateLoad({ port, path: '/fast', clients, thinkMs: THINK_MS, anyAnswer: true }),
  );
  await Promise.all(loads.map((load) => load.answers(FIRST_ANSWERS)));
  await pause(SETTLED_MS);
  const isOurs = name.startsWith('nodecluster');
  const begin = performance.now();
  const printed = await run(program, ['reload', 'all', ...(isOurs ? ['--json'] : [])]);
  const seconds = (performance.now() - begin) / 1000;
  const counts = await Promise.all(loads.map((load) => load.stop()));
  return {
    seconds,
    requests: counts.reduce((sum, { made }) => sum + made, 0),
    lost: counts.reduce((sum, { failed }) => sum + failed, 0),
    missing: isOurs ? missingIn(printed, instances) : NaN,
  };
}

/** @param {string} json @param {number} instances */
function missingIn(json, instances) {
  /** @type {{apps: {minReady: number}[]}} */
  const { apps } = JSON.parse(json);
  return Math.max(...apps.map(({ minReady }) => instances - minReady));
}
