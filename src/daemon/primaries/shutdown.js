/** Shuts down a primary, kills it if necessary, and stops the workers that outlive it. */
import { NodeclusterError } from '../../errors/error.js';
import { poll } from '../../shared/deadline.js';
import { identify, isAlive, isCertain } from '../../shared/processes/identity.js';
import { requestOnce } from './connection/one-request.js';
import { sendSignal, stopSignalOf } from '../../shared/processes/signal.js';

/**
 * @import { PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { PrimaryRecord } from '../../shared/processes/primary-record.js'
 * @import { ProcessIdentity } from '../../shared/processes/identity.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Log } from '../log.js'
 * @import { PrimaryHandle } from './handle.js'
 */

/** ms for a primary to exit after it replied or was killed. */
const EXIT_MS = 5000;
const POLL_MS = 20;

/** The workers of a primary, identified while they are known to run, since pids are reused. */
export class WorkerIdentities {
  /** @type {Map<number, ProcessIdentity | null>} by pid */
  #identities = new Map();
  /** Whether each worker leads a process group. */
  #ownGroups = false;
  #killSignal = stopSignalOf('auto');

  /**
   * @param {Snapshot} snapshot the latest
   * @param {number} [uid] of a primary that is not trusted: its workers must belong to that user
   */
  update({ mode, spec, slots, retiring = [] }, uid) {
    this.#ownGroups = mode === 'fork';
    this.#killSignal = stopSignalOf(spec.killSignal);
    const pids = [...slots, ...retiring].flatMap(({ pid }) => pid ?? []);
    const known = this.#identities;
    this.#identities = new Map(pids.map((pid) => [pid, known.get(pid) ?? workerOf(pid, uid)]));
  }

  /**
   * Used after the primary has exited. Workers in cluster mode notice and exit by themselves.
   * @param {number} timeoutMs until SIGKILL
   */
  async stop(timeoutMs) {
    if (this.#ownGroups) this.#signal(this.#killSignal);
    await poll(() => !this.#known.some(isAlive), { timeoutMs, everyMs: POLL_MS });
    this.#signal('SIGKILL');
  }

  get #known() {
    return [...this.#identities.values()].filter((identity) => identity !== null);
  }

  /** @param {NodeJS.Signals} signal */
  #signal(signal) {
    for (const identity of this.#known) signalProcess(identity, signal, this.#ownGroups);
  }
}

/** @param {number} pid @param {number} [uid] @returns {ProcessIdentity | null} */
function workerOf(pid, uid) {
  const identity = identify(pid);
  return identity && uid !== undefined ? { ...identity, uid } : identity;
}

/**
 * @template {'shutdown' | 'retire'} K
 * @param {PrimaryHandle} handle one that is silent may still do it
 * @param {object} options
 * @param {K} options.method
 * @param {PrimaryMethods[K]['params']} options.params
 * @param {number} options.timeoutMs for that, and for workers that outlive it
 * @param {ReportProgress} [options.report]
 * @param {WorkerIdentities} options.workers
 * @param {Log} options.log
 * @returns {Promise<PartialOutcome>} when it has exited or was killed
 */
export async function shutDownPrimary(handle, options) {
  const { method, params, timeoutMs, report, workers, log } = options;
  const { record: primary } = handle;
  const deadline = performance.now() + timeoutMs;
  handle.expectExit();
  const outcome = await handle.request(method, params, { report, timeoutMs }).catch((error) => {
    log.error('primary.shutdown-failed', {
      primary: primary.pid,
      reason: NodeclusterError.from(error).message,
    });
    return null;
  });
  if (outcome === null || !(await hasEnded(handle))) {
    // The primary must end first: it would start its workers again.
    await endAtOnce(primary, log);
    await workers.stop(Math.max(0, deadline - performance.now()));
  }
  handle.end();
  return outcome ?? { ok: true };
}

/**
 * A process that answers goes on with its other apps.
 * @param {PrimaryRecord} primary
 * @param {Log} log
 */
async function endAtOnce(primary, log) {
  if (primary.isShared) {
    const reply = await requestOnce(primary, 'abandon', {});
    if (reply === 'done' || reply === 'absent') return;
  }
  log.warn('primary.killing', { primary: primary.pid });
  killPrimary(primary);
  await poll(() => !isAlive(primary), { timeoutMs: EXIT_MS, everyMs: POLL_MS });
}

/** Its workers finish their requests. @param {ProcessIdentity} primary */
export function killPrimary(primary) {
  signalProcess(primary, 'SIGKILL');
}

/** One that is shared closes the connection when nothing of the app is left. @param {PrimaryHandle} handle */
function hasEnded(handle) {
  const { record } = handle;
  const isOver = () => !isAlive(record) || (record.isShared && handle.state === 'exited');
  return poll(isOver, { timeoutMs: EXIT_MS, everyMs: POLL_MS });
}

/**
 * @param {ProcessIdentity} identity
 * @param {NodeJS.Signals} signal
 * @param {boolean} [withGroup] also the process group that it leads
 */
function signalProcess(identity, signal, withGroup = false) {
  if (isCertain(identity)) sendSignal(withGroup ? -identity.pid : identity.pid, signal);
}
