/**
 * What faults cost: lost requests, clients without an answer, time to recover.
 * node bench/faults.js [--node <binary>]… [--scheduling <policies; default: all>] [--pm2]
 *   [--only <measurements; default: all>] [--json <file>] [--fraction 1]
 *   [--reloads 100] [--changes 20] [--kills 300] [--rounds 20] [--primaries 5]
 *   [--moments 12] [--restarts 1000] [--seconds 60]
 *   [--commands <those that are interrupted; default: all>]
 * `--pm2` measures PM2 too, which `npm ci --prefix bench` installs.
 * node bench/faults.js --document <file of --json>[,…]   writes the tables into docs/explanations/reliability.json
 * `--reloads` counts those of the six apps together: each of them is reloaded a sixth as often.
 * `--fraction 0.1` takes a tenth of all these numbers. What the file already contains, with as many
 * repetitions and as it must be, is not measured again.
 * Tables go to stdout. The exit code is 1 when a figure that must be zero is not. Not part of
 * `npm test`: one version of Node with one policy takes about 10 minutes.
 */
import { execFileSync } from 'node:child_process';
import { benchArguments, versionOf } from './arguments.js';
import { document } from './faults/document.js';
import { broken, print } from './faults/figures.js';
import { measurements } from './faults/measurements.js';
import { inNodecluster } from './faults/supervisors/nodecluster.js';
import { inPm2 } from './faults/supervisors/pm2.js';
import { Results } from './results.js';

/**
 * @import { Row, Table } from './faults/figures.js'
 * @import { Measurement } from './faults/measurements.js'
 * @import { Supervisor } from './faults/supervisors/supervisor.js'
 */

/** PM2 is measured with this fraction of the repetitions: it loses something every time. */
const PM2_SHARE = { reloads: 4, kills: 5, restarts: 10 };

const {
  nodes,
  numbers: given,
  strings,
  flags,
} = benchArguments(
  {
    ...{ fraction: 1, reloads: 100, changes: 20, kills: 300, rounds: 20, primaries: 5 },
    ...{ moments: 12, restarts: 1000, seconds: 60 },
  },
  {
    scheduling: 'round-robin,fair,sticky',
    only: '',
    commands: '',
    json: '',
    document: '',
  },
  ['pm2'],
);
const { fraction } = given;
const numbers = Object.fromEntries(
  Object.entries(given).map(([name, count]) => [name, Math.ceil(count * fraction)]),
);
const commit = execFileSync('git', ['describe', '--always', '--dirty'], {
  encoding: 'utf8',
  cwd: import.meta.dirname,
}).trim();
const listed = (/** @type {string} */ text) => text.split(',').filter(Boolean);
if (strings.document)
  await document(listed(strings.document).flatMap((file) => resultsIn(file).rows));
else await measureAll();

/** @param {string} file @returns {Results<Row>} */
function resultsIn(file) {
  return new Results(file, ['measurement', 'node', 'scheduling', 'supervisor']);
}

async function measureAll() {
  const known = measurements.map(({ name }) => name);
  const names = listed(strings.only || known.join(','));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`--only ${unknown} is unknown. Use one of: ${known.join(', ')}`);
  const results = resultsIn(strings.json);
  const selection = measurements.filter(({ name }) => names.includes(name));
  for (const node of nodes) {
    for (const scheduling of listed(strings.scheduling)) {
      for (const measurement of selection)
        await measure(measurement, { node, scheduling, results });
    }
  }
  for (const table of selection.flatMap(({ tables }) => tables)) report(table, results);
}

/** @param {Table} table @param {Results<Row>} results */
function report(table, { rows }) {
  print(table, rows);
  for (const wrong of broken(table, rows)) complain(wrong);
}

/** @param {Measurement} measurement @param {{node: string, scheduling: string, results: Results<Row>}} conditions */
async function measure(measurement, { node, scheduling, results }) {
  const where = { measurement: measurement.name, node: versionOf(node), scheduling };
  const name = Object.values(where).join(', ');
  /** @param {Supervisor} supervisor */
  const take = async (supervisor) => {
    const at = { ...where, supervisor: supervisor.name };
    const known = results.of(at).filter((row) => row.fraction >= fraction);
    if (isMeasured(measurement, known)) return;
    const start = performance.now();
    const often = supervisor.name === 'PM2' ? numbersForPm2() : numbers;
    const rows = await measurement.measure(supervisor, {
      node,
      scheduling,
      numbers: often,
      commands: listed(strings.commands),
    });
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.error(`${name}, ${supervisor.name}: ${seconds} s`);
    results.replace(
      at,
      rows.map((row) => ({ ...at, commit, fraction, ...row })),
    );
  };
  await inNodecluster({ node }, take).catch(({ stack }) => complain(`${name}: ${stack}`));
  if (!flags.pm2) return;
  const skipPm2 = (/** @type {Error} */ { message }) => console.error(`${name}, PM2: ${message}`);
  await inPm2({ node, scheduling }, take).catch(skipPm2);
}

/** @param {Measurement} measurement @param {Row[]} rows */
function isMeasured({ tables }, rows) {
  return rows.length > 0 && tables.every((table) => broken(table, rows).length === 0);
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
