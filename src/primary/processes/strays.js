/**
 * Stray processes, which outlived the worker that started them. They inherit a mark in their environment, so they are found
 * even when all their parents have exited.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fingerprintOf } from '../../shared/fingerprint.js';
import { identify, isAlive, isCertain } from '../../shared/processes/identity.js';
import { descendantsOf, nameProcesses, pidsOnLinux, signalProcesses, untilDead } from './tree.js';
import { poll } from '../../shared/deadline.js';
import { stopSignalOf } from '../../shared/processes/signal.js';

/**
 * @import { ProcessIdentity, RecordedWorker } from '../../shared/processes/records.js'
 * @import { EarlierWorkers } from '../../protocol/methods.js'
 * @import { Spec } from '../../config/spec.js'
 *
 * @typedef {ProcessIdentity & {mark: string}} Marked
 * @typedef {{signal: NodeJS.Signals, timeoutMs?: number}} Ending `timeoutMs`: from the signal to SIGKILL
 * @typedef {{left: string[], areKilled: boolean}} Ended `left`: the names of all but health checks; `areKilled`: whether
 *   the signal has not ended all
 */

/** Ends the mark of a health check of a worker. */
const CHECK = '-check';
/** A process forked during a search is found in the next one; the limit is for fork bombs. */
const MAX_SEARCHES = 5;
/** After a search that failed, for which this process may have had no descriptor left. */
const RETRY_MS = 200;

export class StrayProcesses {
  /** Of all marks of this app, whichever primary made them. */
  #appPrefix;
  /** Of the marks that this primary made. */
  #ownPrefix;
  /** @type {Promise<unknown>} */
  #endings = Promise.resolve();

  /** @param {string} home @param {string} app its name */
  constructor(home, app) {
    this.#appPrefix = `${fingerprintOf(`${home}\0${app}`)}-`;
    this.#ownPrefix = `${this.#appPrefix}${randomDigits()}-`;
  }

  /** @returns {string} unique to one worker on the whole machine */
  newMark() {
    return this.#ownPrefix + randomDigits();
  }

  /**
   * Ends what a dead worker has left: by a signal, and what that has not ended by SIGKILL. Never rejects.
   * @param {string} mark of the worker, with that of its commands
   * @param {Ending} ending
   * @param {readonly ProcessIdentity[]} [known] of what it left; the others are found by the mark
   */
  end(mark, ending, known) {
    return this.#track(endAll(() => findOf(mark), ending, known));
  }

  /** @param {string} mark of a worker, with that of its commands; or only that of its commands @returns {Promise<unknown>} never rejects */
  kill(mark) {
    return this.end(mark, { signal: 'SIGKILL' });
  }

  /**
   * Ends what earlier primaries of this app and their workers left. Never rejects.
   * @param {{treekill: boolean, spared: ReadonlySet<string>, ending: Ending}} options treekill: false: only health checks;
   *   spared: marks of workers that are still alive
   */
  endOfEarlierPrimaries({ treekill, spared, ending }) {
    const find = () =>
      findMarked(
        (found) =>
          found.startsWith(this.#appPrefix) &&
          !found.startsWith(this.#ownPrefix) &&
          (found.endsWith(CHECK) || (treekill && !spared.has(found))),
      );
    return this.#track(endAll(find, ending));
  }

  /** @template T @param {Promise<T>} ending @returns {Promise<T>} the same */
  #track(ending) {
    this.#endings = Promise.all([this.#endings, ending]).then(() => {});
    return ending;
  }

  /** @returns {Promise<unknown>} when everything that was to be ended has ended */
  whenIdle() {
    return this.#endings;
  }
}

/** Of a worker's health checks, which end with it. @param {string} mark of the worker */
export function markOfCheck(mark) {
  return mark + CHECK;
}

/** @param {string} found @param {string} mark */
function isOf(found, mark) {
  return found === mark || found === markOfCheck(mark);
}

/** They have to be unique, not secret. */
function randomDigits() {
  return Math.random().toString(16).slice(2);
}

/**
 * @param {() => Promise<Marked[]>} find
 * @param {Ending} ending
 * @param {readonly ProcessIdentity[]} [known] what is ended too
 */
async function endAll(find, { signal, timeoutMs }, known = []) {
  /** @type {Map<number, string>} */
  const names = new Map();
  let areKilled = false;
  for (let search = 0; search < MAX_SEARCHES; search++) {
    // One that is found in both ways must not get the signal twice.
    /** @type {(ProcessIdentity | Marked)[]} */
    const all = [...known, ...(await find())];
    const found = new Map(all.map((each) => [each.pid, each]));
    const left = [...found.values()].filter(isCertain);
    const shown = left.filter((each) => !('mark' in each && each.mark.endsWith(CHECK)));
    for (const { pid, name } of await nameProcesses(shown)) names.set(pid, name);
    const isFirst = search === 0;
    if (signalProcesses(left, isFirst ? signal : 'SIGKILL') === 0) break;
    areKilled ||= !isFirst;
    await untilDead(left, isFirst ? timeoutMs : undefined);
  }
  return { left: [...names.values()], areKilled };
}

/** A process that has forked twice is no longer below its worker, but keeps the environment that it was started with. */

export const MARK_VAR = 'NODECLUSTER_WORKER';
const VARIABLE = new RegExp(`(?:^|\\0)${MARK_VAR}=([^\\0]*)`);
/** Environments read at a time: the primary needs its threads for other work. That of a process that hangs blocks a thread. */
const BATCH = 16;
/** Of this process, or of the system: they say nothing about the process that is looked at. */
const SHORTAGES = ['EMFILE', 'ENFILE', 'ENOMEM'];
/** How much of an environment is searched; Linux allows 6 MiB. */
const MAX_BYTES = 2 ** 21;

/** Marks of dead workers, for the next search. @type {Set<string>} */
const wanted = new Set();
/** The last one that was requested. @type {Promise<Marked[]>} */
let lastSearch = Promise.resolve([]);

/** One search serves workers that died together. @param {string} mark */
async function findOf(mark) {
  const begin = () => {
    const marks = [...wanted];
    wanted.clear();
    return findMarked((found) => marks.some((each) => isOf(found, each)));
  };
  if (wanted.size === 0) lastSearch = lastSearch.then(begin);
  wanted.add(mark);
  return (await lastSearch).filter((found) => isOf(found.mark, mark));
}

/** @param {(mark: string) => boolean} matches @returns {Promise<Marked[]>} never rejects */
async function findMarked(matches) {
  const find = process.platform === 'linux' ? findOnLinux : findWithPs;
  for (let search = 0; search < MAX_SEARCHES; search++) {
    // A search that failed for want of descriptors takes fewer at once.
    const found = await find(matches, Math.ceil(BATCH / 2 ** search)).catch(() => null);
    if (found) return found;
    await sleep(RETRY_MS);
  }
  return [];
}

/** Only those whose environment this process may read. @param {(mark: string) => boolean} matches @param {number} atOnce */
async function findOnLinux(matches, atOnce) {
  const pids = await pidsOnLinux();
  /** @type {(Marked | null)[]} */
  const found = [];
  for (let at = 0; at < pids.length; at += atOnce) {
    const batch = pids.slice(at, at + atOnce);
    found.push(...(await Promise.all(batch.map((pid) => identifyMarked(pid, matches)))));
  }
  return found.filter((identity) => identity !== null);
}

/** @param {number} pid @param {(mark: string) => boolean} matches */
async function identifyMarked(pid, matches) {
  const markOf = async () => VARIABLE.exec(await environmentOf(pid))?.[1] ?? '';
  const mark = await markOf();
  if (pid === process.pid || !matches(mark)) return null;
  const identity = identify(pid);
  // Checked again: the pid may belong to another process by now.
  return identity && (await markOf()) === mark ? { ...identity, mark } : null;
}

/** proc(5): NAME=value, each followed by a zero byte. Empty for a zombie and a kernel thread. @param {number} pid */
async function environmentOf(pid) {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
    return environment.slice(0, MAX_BYTES);
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (SHORTAGES.includes(code)) throw error;
    return '';
  }
}

/** macOS shows the environment of most programs, but not of those it ships. @param {(mark: string) => boolean} matches */
async function findWithPs(matches) {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axEww', '-o', 'pid=,command='], {
    maxBuffer: 2 ** 26,
  });
  const rows = stdout.split('\n').map((row) => ({
    pid: Number(/^\s*(\d+)/.exec(row)?.[1]),
    mark: new RegExp(` ${MARK_VAR}=(\\S+)`).exec(row)?.[1] ?? '',
  }));
  const marked = rows.filter(({ pid, mark }) => pid !== process.pid && matches(mark));
  return marked.flatMap(({ pid, mark }) => {
    const identity = identify(pid);
    return identity ? [{ ...identity, mark }] : [];
  });
}

const POLL_MS = 100;
/** Added to the worker's own deadlines, since its event loop may be busy. */
const GRACE_MS = 1000;

/**
 * The workers of the previous primary, which was killed. In cluster mode they exit by themselves; in fork mode they are
 * stopped here. One that misses its deadline is killed with everything that it started.
 */
export class PreviousWorkers {
  #strays;
  #onExit;
  /** @type {Set<RecordedWorker>} */
  #alive = new Set();
  /** Resolves when none of them is left; never rejects. @type {Promise<unknown>} */
  ended = Promise.resolve();

  /** @param {StrayProcesses} strays @param {() => void} onExit called for each */
  constructor(strays, onExit) {
    this.#strays = strays;
    this.#onExit = onExit;
  }

  /** @returns {RecordedWorker[]} those that have not exited */
  get alive() {
    return [...this.#alive];
  }

  /** Whoever comes next must know of them, also before they are ended. @param {EarlierWorkers} recorded */
  expect(recorded) {
    this.#alive = new Set(Array.isArray(recorded) ? recorded.filter(isAlive) : []);
  }

  /**
   * @param {EarlierWorkers} recorded unknown ones are found by their marks in fork mode, and end by themselves in cluster mode
   * @param {Spec} spec
   * @param {boolean} [emptiesFirst] whether new workers must wait until the old ones have exited
   * @returns when new workers may start
   */
  async end(recorded, spec, emptiesFirst = spec.execMode === 'fork') {
    if (recorded === null || (recorded === 'unknown' && spec.execMode === 'cluster')) return;
    this.expect(recorded);
    const spared = new Set(this.alive.map(({ mark }) => mark));
    /** @type {Promise<unknown>[]} */
    const ends = this.alive.map((worker) => this.#end(worker, spec));
    const ending = { signal: stopSignalOf(spec.killSignal), timeoutMs: spec.killTimeoutMs };
    ends.push(this.#strays.endOfEarlierPrimaries({ treekill: spec.treekill, spared, ending }));
    this.ended = Promise.all(ends);
    if (emptiesFirst) await this.ended;
  }

  /** @param {RecordedWorker} worker @param {Spec} spec */
  async #end(worker, { drainTimeoutMs, killTimeoutMs, killSignal, treekill }) {
    const { pid, ownsGroup, mark } = worker;
    const signal = stopSignalOf(killSignal);
    const tree = treekill ? await descendantsOf(pid) : [];
    if (ownsGroup) signalProcesses([worker], signal);
    const waitMs = ownsGroup ? killTimeoutMs : drainTimeoutMs + killTimeoutMs + GRACE_MS;
    const killAtMs = performance.now() + waitMs;
    await poll(() => !isAlive(worker), { timeoutMs: waitMs, everyMs: POLL_MS });
    if (signalProcesses([worker], 'SIGKILL') > 0) await untilDead([worker]);
    const timeoutMs = Math.min(killTimeoutMs, killAtMs - performance.now());
    if (treekill) await this.#strays.end(mark, { signal, timeoutMs }, tree);
    this.#alive.delete(worker);
    this.#onExit();
  }
}
