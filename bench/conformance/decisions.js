/** What `npm run conformance` decides, without I/O. */

export const PASSED = 'code 0';

/** Families of files in test/parallel; `test-std` has no dash after it: test-stdin, test-stdout. */
export const FAMILIES = [
  ...['http', 'https', 'http2', 'net', 'tls', 'dgram', 'cluster', 'child-process', 'process'],
  'std',
];

/** @param {string} file name of a file in test/parallel @returns {string|undefined} undefined: of no family */
export function familyOf(file) {
  if (!/\.m?js$/.test(file)) return undefined;
  return FAMILIES.find((family) =>
    family === 'std' ? /^test-std/.test(file) : new RegExp(`^test-${family}[-.]`).test(file),
  );
}

/** Debian's suite with tests for that version of Node: 20 and 24. @param {string} version `v22.1.0` */
export function suiteFor(version) {
  return Number(/\d+/.exec(version)?.[0]) < 24 ? 'trixie' : 'forky';
}

/** @param {string} source of a test @returns {string[]} the arguments for Node in its `// Flags:` lines */
export function flagsOf(source) {
  const lines = [...source.matchAll(/^\/\/ Flags:(.*)$/gm)].map(([, flags]) => flags.trim());
  return lines.flatMap((line) => line.split(/\s+/)).filter(Boolean);
}

/**
 * The same files for the same date, others on the next day.
 * @param {readonly string[]} files
 * @param {number} size
 * @param {string} date
 */
export function sampleOf(files, size, date) {
  const keyed = files.map((file) => ({ file, key: hashOf(`${date} ${file}`) }));
  const sorted = keyed.sort((a, b) => a.key - b.key || (a.file < b.file ? -1 : 1));
  return sorted
    .slice(0, size)
    .map(({ file }) => file)
    .sort();
}

/** FNV-1a, then mixed: names that differ in their last letters only must not stay neighbours. @param {string} text */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** A test that skips itself passes, but shows nothing. @param {string} ended @param {string} stdout */
export function outcomeAlone(ended, stdout) {
  return ended === 'code 0' && /^1\.\.0 # Skipped/m.test(stdout) ? 'skipped' : ended;
}

/**
 * How the program ended, from `run --json`, whose own exit code says only that an app is errored.
 * @param {string} ended how `run` itself ended: `code 5`
 * @param {string} stderr of `run --json`
 */
export function programOutcome(ended, stderr) {
  if (ended === PASSED || ended === 'deadline') return ended;
  if (ended !== 'code 5') return `run: ${ended}`;
  const exits = stderr.matchAll(
    /\[nodecluster\] worker \d+ (?:exited with|was killed by) (code \d+|SIG\w+)/g,
  );
  const reported = [...exits].pop()?.[1];
  // `run` then names the address instead of the exit code, which is 1 for an 'error' event without a listener.
  const couldNotListen = /\[nodecluster\] worker \d+ could not listen on/.test(stderr);
  return reported ?? (couldNotListen ? 'code 1' : 'no exit reported');
}

/**
 * Each step runs the file once more. A difference is nodecluster's only if it is seen twice, beside runs that pass.
 * @param {{alone: () => Promise<string>, worker: () => Promise<string>, bare: () => Promise<string>}} runs of a file
 *   that passed alone: each resolves with `code 0`, `SIGABRT`, `deadline`; bare: as a child of Node's own cluster.fork or
 *   child_process.fork
 * @returns {Promise<{verdict: 'same'|'node'|'unsteady'|'once'|'ours', outcomes: string[]}>} unsteady: the file failed
 *   alone; once: the second run ended as alone
 */
export async function verdictOf({ alone, worker, bare }) {
  const outcomes = [await worker()];
  if (outcomes[0] === PASSED) return { verdict: 'same', outcomes };
  outcomes.push(await bare());
  if (outcomes[1] !== PASSED) return { verdict: 'node', outcomes };
  if ((await alone()) !== PASSED) return { verdict: 'unsteady', outcomes };
  outcomes.push(await worker());
  if (outcomes[2] === PASSED) return { verdict: 'once', outcomes };
  outcomes.push(await bare());
  return { verdict: outcomes[3] === PASSED ? 'ours' : 'node', outcomes };
}
