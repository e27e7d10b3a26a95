/** The workers of a primary, identified while they are known to run, since pids are reused. */
import { poll } from '../../shared/deadline.js';
import { identify, isAlive, isCertain } from '../../shared/processes/identity.js';
import { sendSignal, stopSignalOf } from '../../shared/processes/signal.js';

/**
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { ProcessIdentity } from '../../shared/processes/records.js'
 * @import { Spec } from '../../config/spec.js'
 *
 * @typedef {ProcessIdentity & {ownsGroup: boolean}} Worker ownsGroup: it leads a process group
 */

const POLL_MS = 20;

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

/** With its process group. @param {Worker} worker @param {NodeJS.Signals} name */
function signal(worker, name) {
  if (isCertain(worker)) sendSignal(worker.ownsGroup ? -worker.pid : worker.pid, name);
}
