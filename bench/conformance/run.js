/**
 * Node's own tests as programs under nodecluster: each file that passes alone must end the same way as the only worker.
 * npm run conformance -- [--node <binary>] [--family net] [--sample 60] [--date 2026-01-31] [--jobs 2] [--record <file>]
 * --date chooses the sample. The file named by --record gets a line for each result; what has a line is not run again.
 * The exit code is 1 if a difference is nodecluster's and docs/reference/compatibility.md does not name the file.
 */
import { appendFileSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { benchArguments, versionOf } from '../arguments.js';
import { printTable } from '../table.js';
import { FAMILIES, PASSED, familyOf, flagsOf, sampleOf, suiteFor, verdictOf } from './decisions.js';
import { runAsWorker, runBare, runPlain } from './program.js';
import { nodeTests } from './sources.js';

/**
 * @typedef {{verdict: string, outcomes: string[]}} Verdict
 * @typedef {{version: string, file: string, alone: string, cluster?: Verdict, fork?: Verdict}} Result
 */

const MODES = /** @type {const} */ (['cluster', 'fork']);
const VERDICTS = { same: ['same', 'once'], node: ['node'], ours: ['ours'] };
const DOCS = new URL('../../docs/reference/compatibility.md', import.meta.url);
const today = new Date().toISOString().slice(0, 10);
const { nodes, numbers, strings } = benchArguments(
  { sample: 0, jobs: 2 },
  { family: '', date: today, record: '' },
);

for (const node of nodes) {
  const tree = sourcesFor(versionOf(node));
  if (tree) await measure(node, tree);
}

/** @param {string} version @returns {string|undefined} undefined: not available */
function sourcesFor(version) {
  try {
    return nodeTests(suiteFor(version));
  } catch (error) {
    const { stderr, message } = /** @type {Error & {stderr?: string}} */ (error);
    const reason = (stderr || message).trim().split('\n')[0];
    console.log(`SKIPPED: the sources of Node could not be downloaded: ${reason}`);
  }
}

/** @param {string} node @param {string} tree */
async function measure(node, tree) {
  const version = versionOf(node);
  const all = readdirSync(join(tree, 'test/parallel')).filter((file) =>
    strings.family ? familyOf(file) === strings.family : familyOf(file),
  );
  const files = numbers.sample ? sampleOf(all, numbers.sample, strings.date) : all.sort();
  const which = numbers.sample ? `, sample of ${strings.date} (--date)` : '';
  console.log(`Node ${version}: ${files.length} files of ${tree}${which}`);
  const results = recorded(version).filter(({ file }) => files.includes(file));
  const queue = files.filter((file) => !results.some((each) => each.file === file));
  const job = async (/** @type {number} */ number) => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const result = await resultOf({ node, version, tree, file, number });
      if (strings.record) appendFileSync(strings.record, `${JSON.stringify(result)}\n`);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: numbers.jobs }, (_, index) => job(index)));
  report(results);
}

/** @param {string} version @returns {Result[]} */
function recorded(version) {
  if (!strings.record || !existsSync(strings.record)) return [];
  const lines = readFileSync(strings.record, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter((each) => each.version === version);
}

/**
 * @param {{node: string, version: string, tree: string, file: string, number: number}} test
 * @returns {Promise<Result>}
 */
async function resultOf({ node, version, tree, file, number }) {
  const path = join(tree, 'test/parallel', file);
  const flags = flagsOf(readFileSync(path, 'utf8'));
  // Below the range from which the kernel chooses, and another one for a second run on this machine.
  const port = 20_000 + ((process.pid * 10 + number) % 10_000);
  const program = { node, cwd: tree, file: path, flags, port };
  const began = performance.now();
  /** @type {Result} */
  const result = { version, file, alone: await runPlain(program) };
  if (result.alone !== PASSED) return result;
  // What it took alone shows how slow the machine is now.
  const deadlineMs = 10_000 + 5 * (performance.now() - began);
  for (const mode of MODES) {
    const found = await verdictOf({
      alone: () => runPlain(program),
      worker: () => runAsWorker(program, mode, deadlineMs),
      bare: () => runBare(program, mode, deadlineMs),
    });
    result[mode] = found;
    if (found.verdict !== 'same') {
      console.log(`${found.verdict}: ${file} ${mode}: ${found.outcomes.join(', ')}`);
    }
  }
  return result;
}

/** @param {Result[]} results */
function report(results) {
  const steady = results.filter(
    (each) => each.cluster && MODES.every((mode) => each[mode]?.verdict !== 'unsteady'),
  );
  const rows = FAMILIES.map((family) => {
    const mine = steady.filter(({ file }) => familyOf(file) === family);
    const counts = MODES.flatMap((mode) =>
      Object.values(VERDICTS).map(
        (verdicts) => mine.filter((each) => verdicts.includes(each[mode]?.verdict ?? '')).length,
      ),
    );
    return [family, mine.length, ...counts];
  });
  const heads = MODES.flatMap((mode) => [`${mode}: same`, "Node's", 'ours']);
  printTable(['family', 'files', ...heads], rows);
  const alone = results.filter((each) => !each.cluster);
  const skipped = alone.filter((each) => each.alone === 'skipped').length;
  console.log(
    `${steady.length} of ${results.length} files pass alone; ${skipped} skip themselves, ${alone.length - skipped} fail.`,
  );
  const docs = readFileSync(DOCS, 'utf8');
  const unexplained = steady.filter(
    (each) =>
      MODES.some((mode) => each[mode]?.verdict === 'ours') && !docs.includes(`\`${each.file}\``),
  );
  if (unexplained.length === 0) return;
  process.exitCode = 1;
  console.log(
    `Not explained in docs/reference/compatibility.md: ${unexplained.map(({ file }) => file).join(', ')}`,
  );
}
