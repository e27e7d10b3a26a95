/**
 * Node's own tests as programs under nodecluster: each file that passes alone must end the same way as the only worker.
 * npm run conformance -- [--node <binary>] [--family net] [--sample 60] [--date 2026-01-31] [--jobs 2]
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { benchArguments } from '../arguments.js';
import { versionOf } from '../bench-home.js';
import { printTable } from '../table.js';
import { FAMILIES, classify, familyOf, flagsOf, sampleOf } from './decisions.js';
import { runAsWorker, runBare, runPlain } from './program.js';
import { nodeTests } from './sources.js';

/** @typedef {{family: string, file: string, mode: string, verdict: string, plain: string, worker: string}} Result */

const MODES = /** @type {const} */ (['cluster', 'fork']);
/** @type {{file: string, mode: string, reason: string}[]} */
const known = JSON.parse(readFileSync(new URL('known.json', import.meta.url), 'utf8'));
const today = new Date().toISOString().slice(0, 10);
const { nodes, numbers, strings } = benchArguments(
  { sample: 0, jobs: 2 },
  { family: '', date: today },
);

const tree = sources();
if (tree) {
  console.log(`Node's tests: ${tree}`);
  for (const node of nodes) await measure(node, tree);
}

/** @returns {string|undefined} undefined: not available */
function sources() {
  try {
    return nodeTests();
  } catch (error) {
    const [reason] = String(/** @type {Error} */ (error).message).split('\n');
    console.log(`SKIPPED: the sources of Node could not be downloaded: ${reason}`);
  }
}

/** @param {string} node @param {string} tree */
async function measure(node, tree) {
  const all = readdirSync(join(tree, 'test/parallel')).filter((file) =>
    strings.family ? familyOf(file) === strings.family : familyOf(file),
  );
  const queue = numbers.sample ? sampleOf(all, numbers.sample, strings.date) : all.sort();
  /** @type {Result[]} */
  const results = [];
  const total = queue.length;
  const job = async (/** @type {number} */ number) => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      results.push(...(await resultsOf(node, tree, file, number)));
    }
  };
  await Promise.all(Array.from({ length: numbers.jobs }, (_, index) => job(index + 1)));
  report(versionOf(node), total, results);
}

/** @param {string} node @param {string} tree @param {string} name @param {number} job @returns {Promise<Result[]>} */
async function resultsOf(node, tree, name, job) {
  const file = join(tree, 'test/parallel', name);
  const program = { node, cwd: tree, file, flags: flagsOf(readFileSync(file, 'utf8')), job };
  const plain = await runPlain(program);
  if (plain !== 'code 0') return [];
  const results = [];
  for (const mode of MODES) {
    const worker = await runAsWorker(program, mode);
    const bare = worker === plain ? undefined : await runBare(program, mode);
    const verdict = classify({ plain, worker, bare });
    results.push({ family: familyOf(name) ?? '', file: name, mode, verdict, plain, worker });
    if (verdict !== 'same') console.log(`${verdict}: ${name} ${mode}: ${plain}, ${worker}`);
  }
  return results;
}

/** @param {string} version @param {number} total @param {Result[]} results */
function report(version, total, results) {
  const rows = FAMILIES.flatMap((family) =>
    MODES.map((mode) => {
      const mine = results.filter((each) => each.family === family && each.mode === mode);
      const count = (/** @type {string} */ verdict) =>
        mine.filter((each) => each.verdict === verdict).length;
      return [family, mode, mine.length, count('same'), count('node'), count('ours')];
    }),
  ).filter(([, , files]) => Number(files) > 0);
  printTable(['family', 'mode', 'files', 'same', "Node's", 'ours'], rows);
  const ours = results.filter(({ verdict }) => verdict === 'ours');
  const unknown = ours.filter(
    ({ file, mode }) => !known.some((each) => each.file === file && each.mode === mode),
  );
  const same = results.filter(({ verdict }) => verdict === 'same').length;
  const passing = results.length / MODES.length;
  console.log(
    `Node ${version}: ${passing} of ${total} files pass alone; ${same} of ${results.length} runs under nodecluster end the same way.`,
  );
  console.log(`${ours.length} differences are ours, ${unknown.length} of them not in known.json.`);
  if (unknown.length > 0) process.exitCode = 1;
}
