/** One command, one process killed in the middle of it, and what became of both. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { watched } from '../../../test/support/home.js';
import { startLoad } from '../../../test/support/http-load.js';
import { freePorts } from '../../../test/support/ports.js';
import { spawnClean } from '../../../test/support/spawn-clean.js';
import { until } from '../../../test/support/until.js';
import { inHome } from '../../bench-home.js';
import { sum } from '../figures.js';
import { writeFile, writeRelease } from './operations.js';
import { find, unknownProcesses } from './processes.js';
import { readState } from './state.js';

/**
 * @import { Ended } from '../../../test/support/home.js'
 * @import { Home } from '../traffic/request-load.js'
 * @import { Operation, Shape } from './operations.js'
 * @import { Victim } from './processes.js'
 * @import { State } from './state.js'
 */

/**
 * @typedef {{atMs: number} | {step: string, nth: number}} Moment after the start of the command, or
 *   when it reports a step for the nth time
 * @typedef {object} Conditions
 * @property {string} node
 * @property {string} scheduling
 * @property {Operation} operation
 */

const CLIENTS = 4;
const SETTLE_MS = 30_000;
/** Nothing has changed for this long. */
const QUIET_MS = 400;
/** How a command says that it does not know the outcome, or that a worker was killed. */
const SAYS_SO =
  /exited before (it replied to|the command was done)|closed before the reply|was killed by SIGKILL/;

/**
 * @typedef {object} Verdict
 * @property {'finished' | 'undone' | 'partly' | 'neither'} outcome
 * @property {number | string | null} exit code or signal of the command
 * @property {number} untrue 1: it said something else
 * @property {number} strays
 */

/**
 * @param {Conditions} conditions
 * @returns {Promise<{steps: string[], durationMs: number}>} what the command reports when nothing is killed
 */
export function rehearse(conditions) {
  return inPreparedHome(conditions, async ({ begin }) => {
    const startedMs = performance.now();
    const { ended } = begin();
    const { stderr } = await ended;
    return { steps: stepsIn(stderr), durationMs: performance.now() - startedMs };
  });
}

/**
 * @param {Conditions} conditions
 * @param {Victim} victim
 * @param {Moment} moment
 * @returns {Promise<Verdict & {wholeMs: number} & Record<string, unknown> | null>} null: there was no
 *   such process at that moment
 */
export function interrupt(conditions, victim, moment) {
  const { operation, scheduling } = conditions;
  return inPreparedHome(conditions, async ({ home, port, workers, begin }) => {
    const loads = operation.isServed
      ? [true, false].map((keepAlive) =>
          startLoad({ port, keepAlive, clients: CLIENTS, thinkMs: 5 }),
        )
      : [];
    const command = begin();
    await reached(moment, command);
    const pid = find(victim, home, { command: Number(command.child.pid), workers });
    if (pid !== null) process.kill(pid, 'SIGKILL');
    const wholeMs = pid === null ? 0 : await untilWhole(home, operation, pid);
    const ended = await command.ended;
    const verdict = await judge(home, operation, ended);
    const lost = await Promise.all(loads.map((load) => load.stop()));
    if (pid === null) return null;
    return { ...verdict, ...lostOf(lost, victim, scheduling), wholeMs: Math.round(wholeMs) };
  });
}

/**
 * @typedef {object} Prepared
 * @property {Home} home in which the apps are as before the operation
 * @property {number} port
 * @property {number[]} workers pids
 * @property {() => ReturnType<Home['begin']>} begin starts the command
 */

/**
 * @template T
 * @param {Conditions} conditions
 * @param {(prepared: Prepared) => Promise<T>} use
 * @returns {Promise<T>}
 */
function inPreparedHome({ node, scheduling, operation }, use) {
  return inHome(async (home) => {
    const ports = await freePorts(operation.apps?.length ?? 1);
    const { before, after, args } = operation;
    const write = (/** @type {NonNullable<Shape>} */ shape) =>
      writeFile(home, operation, shape, { ports, scheduling });
    if (before) await home.ok(['start', write(before)], { node });
    const workers = before ? await home.pidsOf('api') : [];
    const file = write(after?.version ? after : { workers: 2, version: '1' });
    const words = args.map((word) => (word === 'FILE' ? file : word));
    const begin = () => beginCommand(home, operation, words, node);
    return use({ home, port: ports[0], workers, begin });
  });
}

/** @param {Home} home @param {Operation} operation @param {string[]} words @param {string} node */
function beginCommand(home, { release }, words, node) {
  if (release === undefined) return home.begin(words, { node });
  const command = [writeRelease(home, release), ...words];
  return watched(spawnClean(node, command, { cwd: home.root, env: home.env }), words.join(' '));
}

/** @param {Moment} moment @param {ReturnType<Home['begin']>} command */
async function reached(moment, { child, ended }) {
  if ('atMs' in moment) return Promise.race([pause(moment.atMs), ended]);
  let text = '';
  const isReported = new Promise((resolve) => {
    child.stderr?.on('data', (chunk) => {
      text += chunk;
      const same = stepsIn(text).filter((step) => step === moment.step);
      if (same.length >= moment.nth) resolve(undefined);
    });
  });
  return Promise.race([isReported, ended]);
}

/** @param {string} stderr @returns {string[]} */
export function stepsIn(stderr) {
  const lines = stderr.matchAll(
    /^(?:api|web|admin)(?::\d+)? (starting|online|draining|stopping|stopped)/gm,
  );
  return [...lines].map(([, step]) => step);
}

/**
 * @param {Home} home
 * @param {Operation} operation
 * @param {number} killed its pid
 * @returns {Promise<number>} ms until a daemon answers, and as many workers serve as before or after
 */
async function untilWhole(home, { before, after, apps = ['api'] }, killed) {
  const startMs = performance.now();
  const fewest = Math.min(before?.workers ?? 0, after?.workers ?? 0);
  const isWhole = async () => {
    const state = await readState(home);
    if (state === null) return false;
    const serve = (/** @type {string} */ name) => (state.actual(name)?.workers ?? 0) >= fewest;
    return !state.pids.includes(killed) && apps.every(serve);
  };
  await until(isWhole, 'the tree to be whole', SETTLE_MS).catch(() => {});
  return performance.now() - startMs;
}

/**
 * @param {Home} home
 * @param {Operation} operation
 * @param {Ended} ended the command
 * @returns {Promise<Verdict>}
 */
async function judge(home, operation, ended) {
  const state = await settled(home);
  const known = state?.pids ?? [];
  const isClean = () => unknownProcesses(home, known).length === 0;
  await until(isClean, 'processes to exit', SETTLE_MS).catch(() => {});
  const strays = unknownProcesses(home, known);
  const outcome = outcomeOf(operation, state);
  const isUntrue = claimsOtherwise(ended, outcome);
  if (outcome === 'neither' || strays.length > 0 || isUntrue) {
    const seen = JSON.stringify({ code: ended.code, outcome, state, strays });
    console.error(`${operation.name}: ${seen}\n${ended.stdout}${ended.stderr}`);
  }
  const exit = ended.signal ?? ended.code;
  return { outcome, exit, untrue: Number(isUntrue), strays: strays.length };
}

/** @param {Operation} operation @param {State | null} state @returns {Verdict['outcome']} */
function outcomeOf({ before, after, apps = ['api'], release }, state) {
  if (state === null || !state.isSettled) return 'neither';
  const shapes = apps.map((name) => state.actual(name));
  const are = (/** @type {Shape} */ shape) =>
    shapes.filter((each) => isDeepStrictEqual(each, shape)).length;
  const [finished, undone] = [are(after), are(before)];
  const isInstalled = release === undefined || release === state.release;
  if (finished === shapes.length && isInstalled) return 'finished';
  if (undone === shapes.length) return 'undone';
  return finished + undone === shapes.length ? 'partly' : 'neither';
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
      if (state?.text !== text || !state.isSettled) sinceMs = performance.now();
      text = state?.text ?? '';
      return performance.now() - sinceMs > QUIET_MS;
    },
    'desired and actual state to be the same',
    SETTLE_MS,
  ).catch(() => {});
  return state;
}

/**
 * @param {{made: number, failed: number, codes: Record<string, number>}[]} loads
 * @param {Victim} victim
 * @param {string} scheduling
 */
function lostOf(loads, victim, scheduling) {
  const failed = sum(loads.map((load) => load.failed));
  const reset = sum(loads.map(({ codes }) => codes.ECONNRESET ?? 0));
  // Of a killed worker, the request of each client; of a primary that accepts connections, those
  // that it had not handed on yet.
  const isWorker = victim.endsWith('worker');
  const acceptsItself = victim === 'primary' && scheduling !== 'shared';
  const inFlight = isWorker ? Math.min(failed, 2 * CLIENTS) : acceptsItself ? reset : 0;
  const made = sum(loads.map((load) => load.made));
  return { made, inFlight, beyond: failed - inFlight };
}
