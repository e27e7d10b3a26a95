/** The end of a primary by force, and of the workers that it would leave behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, isCertain } from '../../shared/process-identity.js';

/**
 * @import { ProcessIdentity } from '../../shared/process-identity.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 */

const FAREWELL_MS = 5000;

/** ms between two looks whether it lives. */
const LOOK_MS = 20;

/** Who the workers are. It is asked while they are known to live: later a pid may be a stranger's. */
export class WorkerIdentities {
  /** @type {Map<number, ProcessIdentity | null>} by pid */
  #identities = new Map();
  #ownGroups = false;
  /** @type {NodeJS.Signals} */
  #killSignal = 'SIGTERM';

  /** @param {Snapshot} snapshot the last */
  update({ mode, spec, slots, retiring = [] }) {
    this.#ownGroups = mode === 'fork';
    this.#killSignal = spec.killSignal;
    const pids = [...slots, ...retiring].map(({ pid }) => pid).filter((pid) => pid !== null);
    const present = this.#identities;
    this.#identities = new Map(pids.map((pid) => [pid, present.get(pid) ?? identify(pid)]));
  }

  /**
   * There is no primary any more. In cluster mode they have noticed, and end by themselves.
   * @param {number} timeoutMs until SIGKILL
   */
  async end(timeoutMs) {
    if (this.#ownGroups) this.#signal(this.#killSignal);
    const deadline = performance.now() + timeoutMs;
    while (this.#present.some(isAlive) && performance.now() < deadline) await sleep(LOOK_MS);
    this.kill();
  }

  /** Those that still live get SIGKILL, in fork mode with the group that each of them leads. */
  kill() {
    this.#signal('SIGKILL');
  }

  get #present() {
    return [...this.#identities.values()].filter((identity) => identity !== null);
  }

  /** @param {NodeJS.Signals} signal */
  #signal(signal) {
    for (const identity of this.#present) {
      send(signal, identity, this.#ownGroups ? -identity.pid : identity.pid);
    }
  }
}

/**
 * @param {ProcessIdentity} primary
 * @returns {Promise<boolean>} whether it is gone, or goes soon
 */
export async function hasEnded(primary) {
  const deadline = performance.now() + FAREWELL_MS;
  while (isAlive(primary) && performance.now() < deadline) await sleep(LOOK_MS);
  return !isAlive(primary);
}

/**
 * The primary first: it would start its workers again.
 * @param {ProcessIdentity} primary
 * @param {WorkerIdentities} workers
 */
export async function endByForce(primary, workers) {
  send('SIGKILL', primary, primary.pid);
  await hasEnded(primary);
  workers.kill();
}

/**
 * @param {NodeJS.Signals} signal
 * @param {ProcessIdentity} identity
 * @param {number} target its pid, or its group
 */
function send(signal, identity, target) {
  try {
    if (isCertain(identity)) process.kill(target, signal);
  } catch {
    // It ended by itself in between.
  }
}
