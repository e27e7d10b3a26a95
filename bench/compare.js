/**
 * nodecluster beside a single process, bare node:cluster, PM2 and Watt: every case in bench/cases.
 * npm ci --prefix bench   installs what is measured; ab comes from the system
 * node bench/compare.js [--node <binary>] [--only <case>,…] [--rounds <n>] [--seconds 2]
 *   [--who <part of a candidate's name>] [--results docs/reference/benchmarks.json] [--list] [--document]
 * Saved after each measurement: a run that was stopped continues where it was. Figures are measured
 * again with --again, and on another Node, whose figures replace those before. docs/reference/benchmarks.md is written after each case, and by --document alone, but not from
 * results in another file.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { versionOf } from './arguments.js';
import { writeDocument } from './comparison/document/document.js';
import { environment } from './comparison/environment.js';
import { BENCH } from './installed.js';
import { Results } from './results.js';
import { runCases } from './comparison/run-cases.js';

/** @import { Case, Row } from './comparison/types.js' */

const RESULTS = join(BENCH, '../docs/reference/benchmarks.json');

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    only: { type: 'string', default: '' },
    who: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    results: { type: 'string', default: RESULTS },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    document: { type: 'boolean', default: false },
  },
});

/** The most important ones first, since a run may be interrupted. */
const ORDER = [
  ...['connections', 'blocked-workers', 'reload-times', 'commands', 'start-up', 'apps'],
  ...['wakeups', 'balance', 'lost-requests', 'slow-and-fast'],
];

const cases = await casesNamed(values.only.split(',').filter(Boolean));
/** @type {Results<Row>} A figure of another Node replaces the one before. */
const results = new Results(values.results, ['case', 'candidate', 'round']);
if (values.list) {
  for (const [name, { title }] of cases) console.log(`${name}: ${title}`);
} else {
  if (!values.document) await measureAll();
  await document();
}
process.exit(); // a load generator that was given up may still hold a handle

async function measureAll() {
  // What users run.
  execFileSync(process.execPath, [join(BENCH, '../scripts/build.js')]);
  results.environment = environment(results.environment?.versions);
  const { node, rounds, who } = values;
  if (values.again) results.rows = results.rows.filter((row) => !cases.has(row.case));
  await runCases({
    ...{ cases, node, version: versionOf(node), results, who },
    rounds: rounds === undefined ? undefined : Number(rounds),
    seconds: Number(values.seconds),
    report: (line) => console.error(line),
    afterCase: document,
  });
}

async function document() {
  if (values.results !== RESULTS) return;
  await writeDocument(await casesNamed([]), results);
}

/** @param {string[]} names none: all @returns {Promise<Map<string, Case>>} */
async function casesNamed(names) {
  const known = readdirSync(join(BENCH, 'cases'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -'.js'.length))
    .sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`--only ${unknown}: there is no such case. Use some of: ${known.join(', ')}`);
    process.exit(2);
  }
  const loaded = new Map();
  for (const name of names.length > 0 ? names : known) {
    loaded.set(name, (await import(`./cases/${name}.js`)).default);
  }
  return loaded;
}
