/** One command, one process killed in the middle of it, and what became of both. */
import { setTimeout as pause } from 'node:timers/promises';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { inHome, watched } from '../../../test/support/home.js';
import { generateLoad } from '../../../test/support/http-load.js';
import { freePorts } from '../../../test/support/ports.js';
import { spawnClean } from '../../../test/support/spawn-clean.js';
import { until } from '../../../test/support/until.js';
import { sum } from '../figures.js';
import { wasInFlight } from '../../../src/clients/prove/verdict.js';
import { writeFile, writeRelease } from './operations.js';
import { find, kill, primaryOf } from './processes.js';
import { readState } from './state.js';
import { judge } from './verdict.js';

/**
 * @import { Failure } from '../../../test/support/http-load.js'
 * @import { Loss } from '../../../src/clients/prove/verdict.js'
 * @import { Home } from '../../../test/support/home.js'
 * @import { Operation, Shape } from './operations.js'
 * @import { Known, Victim } from './processes.js'
 * @import { Verdict } from './verdict.js'
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
const WHOLE_MS = 30_000;

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
  const { operation } = conditions;
  return inPreparedHome(conditions, async ({ home, port, before, begin }) => {
    const loads = operation.isServed
      ? [true, false].map((keepAlive) => loadOn(port, keepAlive))
      : [];
    const command = begin();
    await reached(moment, command);
    const pid = find(victim, home, { ...before, command: Number(command.child.pid) });
    const startMs = performance.now();
    const exitedAt = pid === null ? 0 : await kill(pid);
    if (pid !== null) await untilWhole(home, operation, pid);
    const wholeMs = Math.round(performance.now() - startMs);
    const ended = await command.ended;
    const verdict = await judge(home, operation, ended);
    const lost = await Promise.all(loads.map((load) => load.stop()));
    if (pid === null) return null;
    const loss = { kind: kindOf(victim), exitedAt };
    const figures = { ...verdict, ...lostOf(lost, loss), wholeMs };
    if (figures.beyond > 0) console.error(`${operation.name}, ${victim} killed:`, moment, figures);
    return figures;
  });
}

/** @param {number} port @param {boolean} keepAlive */
function loadOn(port, keepAlive) {
  return generateLoad({ port, keepAlive, clients: CLIENTS, thinkMs: 5, failuresKept: Infinity });
}

/**
 * @typedef {object} Prepared
 * @property {Home} home in which the apps are as before the operation
 * @property {number} port
 * @property {Omit<Known, 'command'>} before pids
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
    const { before, after, args, first } = operation;
    const write = (/** @type {NonNullable<Shape>} */ shape) =>
      writeFile(home, operation, shape, { ports, scheduling });
    const initial = first ? after : before;
    if (initial) await home.ok(['start', write(initial)], { node });
    const workers = initial ? await home.pidsOf('api') : [];
    if (first) await home.ok(first, { node });
    const pids = { workers, daemon: daemonPid(home.home), primary: primaryOf(home.home) };
    const file = write(after?.version ? after : { workers: 2, version: '1' });
    const words = args.map((word) => (word === 'FILE' ? file : word));
    const begin = () => beginCommand(home, operation, words, node);
    return use({ home, port: ports[0], before: pids, begin });
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
function stepsIn(stderr) {
  const lines = stderr.matchAll(
    /^(?:api|web|admin)(?::\d+)? (starting|online|draining|stopping|stopped)/gm,
  );
  return [...lines].map(([, step]) => step);
}

/**
 * @param {Home} home
 * @param {Operation} operation
 * @param {number} killed its pid
 * @returns {Promise<void>} when a daemon answers, and as many workers serve as before or after
 */
async function untilWhole(home, { before, after, apps = ['api'] }, killed) {
  const fewest = Math.min(before?.workers ?? 0, after?.workers ?? 0);
  const isWhole = async () => {
    const state = await readState(home);
    if (state === null) return false;
    const serve = (/** @type {string} */ name) => (state.actual(name)?.workers ?? 0) >= fewest;
    return !state.pids.includes(killed) && apps.every(serve);
  };
  await until(isWhole, 'the tree to be whole', WHOLE_MS).catch(() => {});
}

/** @param {Victim} victim @returns {Loss['kind']} */
function kindOf(victim) {
  if (victim.endsWith('worker')) return 'worker';
  return victim.endsWith('primary') ? 'primary' : 'other';
}

/** @param {{made: number, failed: number, failures: Failure[]}[]} loads @param {Loss} loss */
function lostOf(loads, loss) {
  const failures = loads.flatMap((load) => load.failures);
  const beyond = failures.filter((failure) => !wasInFlight(failure, loss));
  if (beyond.length > 0) console.error('lost beyond what was in flight:', beyond[0], loss);
  const made = sum(loads.map((load) => load.made));
  return { made, inFlight: failures.length - beyond.length, beyond: beyond.length };
}
