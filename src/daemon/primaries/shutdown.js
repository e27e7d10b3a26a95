/** Shuts down a primary, kills it if necessary, and stops the workers that outlive it. */
import { NodeclusterError } from '../../errors/error.js';
import { poll } from '../../shared/deadline.js';
import { identify, isAlive, isCertain } from '../../shared/processes/identity.js';
import { requestOnce } from './connection.js';
import { sendSignal, stopSignalOf } from '../../shared/processes/signal.js';

/**
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { PrimaryRecord, ProcessIdentity } from '../../shared/processes/records.js'
 * @import { Log } from '../log.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryHandle } from './handle.js'
 *
 * @typedef {ProcessIdentity & {ownsGroup: boolean}} Worker ownsGroup: it leads a process group
 */

const POLL_MS = 20;
/** For a primary to exit after it replied or was killed. */
const EXIT = { timeoutMs: 5000, everyMs: POLL_MS };

/** The workers of a primary, identified while they are known to run, since pids are reused. */
export class WorkerIdentities {
  /** @type {Map<number, Worker | null>} by pid */
  #identities = new Map();

  /**
   * @param {Snapshot} snapshot the latest
   * @param {number} [uid] of a primary that is not trusted: its workers must belong to that user
   */
  update({ mode, slots, retiring }, uid) {
    const pids = [...slots.flatMap(({ pid }) => pid ?? []), ...retiring];
    const known = this.#identities;
    const ownsGroup = mode === 'fork';
    this.#identities = new Map(
      pids.map((pid) => {
        const identity = known.get(pid) ?? identify(pid);
        return [pid, identity && { ...identity, ownsGroup, uid }];
      }),
    );
  }

  /**
   * Used after the primary has exited. Workers in cluster mode notice and exit by themselves.
   * @param {number} timeoutMs until SIGKILL
   * @param {Spec['killSignal']} killSignal
   * @param {readonly Worker[]} recorded by the primary, which may never have answered this daemon
   */
  async stop(timeoutMs, killSignal, recorded) {
    const known = [...recorded, ...this.#identities.values()].filter((worker) => worker !== null);
    const alive = new Map(known.filter(isAlive).map((worker) => [worker.pid, worker]));
    const workers = [...alive.values()];
    for (const worker of workers) if (worker.ownsGroup) signal(worker, stopSignalOf(killSignal));
    await poll(() => !workers.some(isAlive), { timeoutMs, everyMs: POLL_MS });
    for (const worker of workers) signal(worker, 'SIGKILL');
  }
}

/**
 * @param {PrimaryHandle} handle one that is silent may still do it
 * @param {(handle: PrimaryHandle) => Promise<PartialOutcome>} ask it to shut down
 * @param {number} timeoutMs for that, and for workers that outlive it
 * @param {(timeoutMs: number) => Promise<void>} stopWorkers
 * @param {Log} log
 * @returns {Promise<PartialOutcome>} when it has exited or was killed
 */
export async function endPrimary(handle, ask, timeoutMs, stopWorkers, log) {
  const { record: primary } = handle;
  const deadline = performance.now() + timeoutMs;
  handle.expectExit();
  /** @type {string | null} */
  let reason = null;
  const outcome = await ask(handle).catch((error) => {
    reason = NodeclusterError.from(error).message;
    return null;
  });
  // One that is shared closes the connection when nothing of the app is left.
  const isOver = () => !isAlive(primary) || (primary.shares && handle.state === 'exited');
  if (outcome === null || !(await poll(isOver, EXIT))) {
    // The primary must end first: it would start its workers again.
    const hadEnded = await endAtOnce(primary, log);
    // A ping that meets its exit costs the reply that was still to be read.
    if (reason !== null && !hadEnded)
      log.error('primary.shutdown-failed', { primary: primary.pid, reason });
    await stopWorkers(Math.max(0, deadline - performance.now()));
  }
  handle.end();
  return outcome ?? { ok: true };
}

/**
 * A process that answers goes on with its other apps.
 * @param {PrimaryRecord} primary @param {Log} log
 * @returns {Promise<boolean>} whether it had ended by itself
 */
async function endAtOnce(primary, log) {
  if (primary.shares) {
    const reply = await requestOnce(primary, 'abandon', {});
    if (reply === 'done' || reply === 'absent') return reply === 'absent';
  }
  if (!isAlive(primary)) return true;
  log.warn('primary.killing', { primary: primary.pid });
  killPrimary(primary);
  await poll(() => !isAlive(primary), EXIT);
  return false;
}

/** Its workers finish their requests. @param {ProcessIdentity} primary */
export function killPrimary(primary) {
  signal(primary, 'SIGKILL');
}

/** @param {ProcessIdentity | Worker} target a worker with its process group @param {NodeJS.Signals} name */
function signal(target, name) {
  const withGroup = 'ownsGroup' in target && target.ownsGroup;
  if (isCertain(target)) sendSignal(withGroup ? -target.pid : target.pid, name);
}
