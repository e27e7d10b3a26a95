/** Ends an app in its primary, kills that if necessary, and stops the workers that outlive it. */
import { NodeclusterError } from '../../errors/error.js';
import { poll } from '../../shared/deadline.js';
import { identify, isAlive, isCertain } from '../../shared/processes/identity.js';
import { sendSignal, stopSignalOf } from '../../shared/processes/signal.js';

/**
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { ProcessIdentity } from '../../shared/processes/records.js'
 * @import { Log } from '../log.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { Primary } from './primary.js'
 *
 * @typedef {ProcessIdentity & {ownsGroup: boolean}} Worker ownsGroup: it leads a process group
 */

const POLL_MS = 20;
/** For a primary to exit after it replied or was killed. */
const EXIT = { timeoutMs: 5000, everyMs: POLL_MS };
const ABANDON_MS = 5000;

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
 * @param {Primary} primary one that is silent may still do it
 * @param {string} app
 * @param {object} how
 * @param {() => Promise<PartialOutcome>} how.ask the app to end there
 * @param {() => boolean} how.hasEnded
 * @param {number} how.timeoutMs for that, and for workers that outlive it
 * @param {(timeoutMs: number) => Promise<void>} how.stopWorkers
 * @param {Log} log
 * @returns {Promise<PartialOutcome>} when nothing of it is left there, or the primary was killed
 */
export async function endIn(primary, app, { ask, hasEnded, timeoutMs, stopWorkers }, log) {
  const deadline = performance.now() + timeoutMs;
  /** @type {string | null} */
  let reason = null;
  const outcome = await ask().catch((error) => {
    reason = NodeclusterError.from(error).message;
    return null;
  });
  if (outcome === null || !(await poll(hasEnded, EXIT))) {
    // The primary must end first: it would start its workers again.
    const hadEnded = hasEnded() || (await endAtOnce(primary, app, hasEnded, log));
    // A ping that meets its exit costs the reply that was still to be read.
    if (reason !== null && !hadEnded)
      log.error('primary.shutdown-failed', { primary: primary.pid, reason });
    await stopWorkers(Math.max(0, deadline - performance.now()));
  }
  return outcome ?? { ok: true };
}

/**
 * A process that answers goes on with its other apps.
 * @param {Primary} primary @param {string} app @param {() => boolean} hasEnded @param {Log} log
 * @returns {Promise<boolean>} whether it had ended by itself
 */
async function endAtOnce(primary, app, hasEnded, log) {
  if (primary.size > 1) {
    const asked = primary.request(app, 'abandon', {}, { timeoutMs: ABANDON_MS });
    if (await asked.then(() => true, hasEnded)) return false;
  }
  const hadEnded = !(primary.record && isAlive(primary.record));
  if (!hadEnded) {
    log.warn('primary.killing', { primary: primary.pid });
    primary.signal('SIGKILL');
  }
  // Then it is known which workers it has left.
  await poll(() => primary.state === 'exited', EXIT);
  return hadEnded;
}

/** With its process group. @param {Worker} worker @param {NodeJS.Signals} name */
function signal(worker, name) {
  if (isCertain(worker)) sendSignal(worker.ownsGroup ? -worker.pid : worker.pid, name);
}
