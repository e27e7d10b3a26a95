/** What became of an operation after a process was killed, and whether its command told the truth. */
import { isDeepStrictEqual } from 'node:util';
import { exitCodes } from '../../../src/errors/exit-codes.js';
import { until } from '../../../test/support/until.js';
import { unknownProcesses } from './processes.js';
import { readState } from './state.js';

/**
 * @import { Ended, Home } from '../../../test/support/home.js'
 * @import { Operation, Shape } from './operations.js'
 * @import { State } from './state.js'
 */

const SETTLE_MS = 30_000;
/** Nothing has changed for this long. */
const QUIET_MS = 400;
/** How a command says that it does not know the outcome, or that a worker was killed. */
const SAYS_SO =
  /exited before (it replied to|the command was done)|broke before it replied to|closed before the reply|was killed by SIGKILL|The daemon keeps trying/;

/**
 * @typedef {object} Verdict
 * @property {'finished' | 'undone' | 'partly' | 'neither'} outcome
 * @property {number | string | null} exit code or signal of the command
 * @property {number} untrue 1: it said something else
 * @property {number} strays
 */

/** @param {Home} home @param {Operation} operation @param {Ended} ended the command @returns {Promise<Verdict>} */
export async function judge(home, operation, ended) {
  const state = await settled(home);
  const strays = unknownProcesses(home, state?.pids ?? []);
  const outcome =
    outcomeOf(operation, state) ?? (isKeptPartly(operation, state, ended) ? 'partly' : 'neither');
  const isUntrue = claimsOtherwise(ended, outcome);
  if (outcome === 'neither' || strays.length > 0 || isUntrue) {
    const seen = JSON.stringify({ code: ended.code, outcome, state, strays });
    console.error(`${operation.name}: ${seen}\n${ended.stdout}${ended.stderr}`);
  }
  const exit = ended.signal ?? ended.code;
  return { outcome, exit, untrue: Number(isUntrue), strays: strays.length };
}

/** @param {Operation} operation @param {State | null} state @returns {Verdict['outcome'] | null} */
function outcomeOf({ before, after, apps = ['api'], release, replacesPrimaries }, state) {
  if (state === null || !state.isSettled) return null;
  const shapes = apps.map((name) => state.actual(name));
  const are = (/** @type {Shape} */ shape) =>
    shapes.filter((each) => isDeepStrictEqual(each, shape)).length;
  const [finished, undone] = [are(after), are(before)];
  const releases = [state.release, ...(replacesPrimaries ? state.primaryReleases : [])];
  const isInstalled = release === undefined || releases.every((each) => each === release);
  if (finished === shapes.length && isInstalled) return 'finished';
  if (undone === shapes.length) return 'undone';
  return finished + undone === shapes.length ? 'partly' : null;
}

/**
 * A reload that fails because a new worker was killed keeps those that it has replaced, and the
 * settings from before.
 * @param {Operation} operation
 * @param {State | null} state
 * @param {Ended} ended
 */
function isKeptPartly({ before, after, apps = ['api'] }, state, { code }) {
  if (!after?.version || before?.version === after.version) return false;
  const counts = [before?.workers, after.workers];
  const versions = [before?.version, after.version, `${before?.version} and ${after.version}`];
  return (
    code === exitCodes.appFailed &&
    apps.every((name) => {
      const { workers, version } = state?.actual(name) ?? {};
      return counts.includes(workers) && versions.includes(version ?? '');
    })
  );
}

/** @param {Ended} ended @param {Verdict['outcome']} outcome */
function claimsOtherwise({ code, signal, stderr }, outcome) {
  if (code === 0) return outcome !== 'finished';
  return signal === null && outcome === 'finished' && !SAYS_SO.test(stderr);
}

/** @param {Home} home @returns {Promise<State | null>} null: no daemon came */
async function settled(home) {
  /** @type {State | null} */
  let state = null;
  let sinceMs = performance.now();
  let text = '';
  await until(
    async () => {
      state = await readState(home);
      // A process that is not known yet goes on with the command.
      const isWhole = state?.isSettled && unknownProcesses(home, state.pids).length === 0;
      if (state?.text !== text || !isWhole) sinceMs = performance.now();
      text = state?.text ?? '';
      return performance.now() - sinceMs > QUIET_MS;
    },
    'desired and actual state to be the same',
    SETTLE_MS,
  ).catch(() => {});
  return state;
}
