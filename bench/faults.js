/**
 * The cost of faults: lost requests, clients without an answer, time to recover.
 * node bench/faults.js [--node <binary>]… [--scheduling round-robin,shared] [--pm2 <bin of PM2>]
 *   [--only reloads,broken,kills,all-killed,primary,loops,orphans] [--json <file>]
 *   [--reloads 100] [--kills 300] [--rounds 20] [--primaries 5] [--restarts 1000]
 *   [--seconds 60]
 * node bench/faults.js --document <file of --json>[,…]   updates docs/reliability.md
 * Tables go to stdout. The exit code is 1 when a figure is not as it must be. Not part of
 * `npm test`: one version of Node with one policy takes about 8 minutes.
 */
import { benchArguments } from './arguments.js';
import { versionOf } from './bench-home.js';
import { Collection, readRows } from './faults/collection.js';
import { document } from './faults/document.js';
import { broken, print } from './faults/figures.js';
import { points } from './faults/points.js';
import { inNodecluster } from './faults/supervisors/nodecluster.js';
import { inPm2 } from './faults/supervisors/pm2.js';

/**
 * @import { Point } from './faults/points.js'
 * @import { Supervisor } from './faults/supervisors/supervisor.js'
 */

/** PM2 loses something every time, so one of so many shows how much. */
const PM2_SHARE = { reloads: 20, kills: 5, restarts: 10 };

const { nodes, numbers, texts } = benchArguments(
  { reloads: 100, kills: 300, rounds: 20, primaries: 5, restarts: 1000, seconds: 60 },
  { scheduling: 'round-robin,shared', only: '', pm2: '', json: '', document: '' },
);
const NO_PM2 = `PM2 is not measured. To compare with it: npm install --prefix <directory> pm2@7, then
--pm2 <directory>/node_modules/pm2/bin/pm2`;
const listed = (/** @type {string} */ text) => text.split(',').filter(Boolean);
if (texts.document) await document(listed(texts.document).flatMap(readRows));
else await measureAll();

async function measureAll() {
  const known = points.map(({ name }) => name);
  const names = listed(texts.only || known.join(','));
  const strangers = names.filter((name) => !known.includes(name));
  if (strangers.length > 0) throw new Error(`--only ${strangers}: there is ${known.join(', ')}`);
  if (!texts.pm2) console.error(NO_PM2);
  const collection = new Collection(texts.json);
  const chosen = points.filter(({ name }) => names.includes(name));
  for (const node of nodes) {
    for (const scheduling of listed(texts.scheduling)) {
      for (const point of chosen) await measure(point, { node, scheduling, collection });
    }
  }
  for (const table of chosen.flatMap(({ tables }) => tables)) {
    print(table, collection.rows);
    for (const wrong of broken(table, collection.rows)) complain(wrong);
  }
}

/**
 * @param {Point} point
 * @param {{node: string, scheduling: string, collection: Collection}} given
 */
async function measure(point, { node, scheduling, collection }) {
  const where = { point: point.name, node: versionOf(node), scheduling };
  const name = Object.values(where).join(', ');
  /** @param {Supervisor} supervisor */
  const take = async (supervisor) => {
    const start = performance.now();
    const often = supervisor.name === 'PM2' ? numbersForPm2() : numbers;
    const rows = await point.measure(supervisor, { node, scheduling, numbers: often });
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.error(`${name}, ${supervisor.name}: ${seconds} s`);
    collection.add(rows.map((row) => ({ ...where, supervisor: supervisor.name, ...row })));
  };
  await inNodecluster({ node }, take).catch(({ stack }) => complain(`${name}: ${stack}`));
  if (!texts.pm2) return;
  const leftOut = (/** @type {Error} */ { message }) => console.error(`${name}, PM2: ${message}`);
  await inPm2({ node, scheduling, bin: texts.pm2 }, take).catch(leftOut);
}

/** @returns {Record<string, number>} */
function numbersForPm2() {
  const fewer = Object.entries(PM2_SHARE).map(([key, share]) => [
    key,
    Math.ceil(numbers[key] / share),
  ]);
  return { ...numbers, ...Object.fromEntries(fewer) };
}

/** @param {string} message */
function complain(message) {
  console.error(`FAILED: ${message}`);
  process.exitCode = 1;
}
