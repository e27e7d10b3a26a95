/** One numbered place for a worker: what is desired of it, and what happened to its workers. */
import {
  decideRestart,
  isExpectedExit,
  isResourceShortage,
  recentDeaths,
} from '../../lifecycle/restart-policy.js';

/**
 * @import { PastExit, SlotFailure } from '../../protocol/shapes.js'
 * @import { Death, Exit } from '../../lifecycle/restart-policy.js'
 * @import { Launch } from './launch.js'
 */

const MAX_EXITS = 5;

export class Slot {
  isDesired = true;
  /** It is stopped only for a restart. */
  comesBack = false;
  /** Why it is not started by itself. @type {'errored' | 'exited' | null} */
  blocked = null;
  /** Why its worker is not online. @type {string | null} */
  reason = null;
  /** Not to be started before this monotonic time, in milliseconds. */
  retryAtMs = 0;
  restarts = 0;
  /** A worker failed, and no command has reported that yet. */
  hasFailed = false;
  /** Exits that nobody asked for, the latest first. @type {PastExit[]} */
  exits = [];
  /** The last failure, when its last lines have come. @type {Promise<SlotFailure> | null} */
  lastFailure = null;
  /** Before the reload under way. @type {Pick<Slot, 'launch' | 'blocked' | 'reason'> | null} */
  previous = null;
  /** Its worker listened before a restart: clients wait for the next one to do so. */
  listensAgain = false;
  /** What its retiring workers do about connections without a request. @type {'keep' | 'close'} */
  idle = 'keep';
  /** @type {readonly Death[]} */
  #deaths = [];

  /** @param {number} number @param {Launch} launch */
  constructor(number, launch) {
    this.number = number;
    this.launch = launch;
  }

  /**
   * A command asks for a worker: earlier failures are forgiven.
   * @param {Launch} [launch] what it runs from now on
   */
  run(launch = this.launch) {
    this.isDesired = true;
    this.comesBack = false;
    this.idle = 'keep';
    this.blocked = null;
    this.reason = null;
    this.hasFailed = false;
    this.retryAtMs = 0;
    this.listensAgain = false;
    this.#deaths = [];
    this.launch = launch;
  }

  /** @param {'keep' | 'close'} idle @param {{comesBack?: boolean}} [then] */
  stop(idle, { comesBack = false } = {}) {
    this.isDesired = false;
    this.comesBack = comesBack;
    this.idle = idle;
    this.blocked = null;
    this.reason = null;
  }

  /** @param {Launch} launch */
  beginReload(launch) {
    const { blocked, reason } = this;
    this.previous = { launch: this.launch, blocked, reason };
    this.run(launch);
  }

  /** The reload failed: it runs again what it ran before. */
  revertReload() {
    if (!this.previous) return;
    this.launch = this.previous.launch;
    this.blocked = this.previous.blocked;
    if (this.blocked !== null) this.reason = this.previous.reason;
    this.hasFailed = false;
    this.previous = null;
  }

  /** Its worker is replaced: a death from now on is not the reload's fault. */
  endReload() {
    this.previous = null;
  }

  /**
   * @param {Exit} exit of a replacement
   * @returns {boolean} it exited as it may, and so had the program before it
   */
  exitedAsBefore(exit) {
    return this.previous?.blocked === 'exited' && isExpectedExit(this.launch.spec, exit);
  }

  /** Counters and deaths start at zero; a slot that has given up stays so. */
  reset() {
    this.restarts = 0;
    this.#deaths = [];
  }

  /**
   * @param {object} failure
   * @param {string} failure.reason
   * @param {Exit} failure.exit
   * @param {number} failure.uptimeMs
   * @param {Promise<string[]>} failure.lastLines
   * @returns {Promise<SlotFailure>} when the last lines have come
   */
  noteFailure({ reason, exit, uptimeMs, lastLines: comingLines }) {
    // If it is blocked, the restart policy has already given the reason.
    if (this.blocked === null) this.reason = reason;
    /** @type {PastExit} */
    const latest = {
      ...exit,
      reason,
      uptimeMs: Math.round(uptimeMs),
      at: Date.now(),
      lastLines: [],
    };
    const earlier = this.exits.slice(0, MAX_EXITS - 1);
    this.exits = [latest, ...earlier.map((each) => ({ ...each, lastLines: [] }))];
    this.lastFailure = comingLines.then((lastLines) => {
      if (this.exits[0] === latest) latest.lastLines = lastLines;
      return { slot: this.number, reason, lastLines };
    });
    return this.lastFailure;
  }

  /**
   * Restarts or gives up, after a death outside of a reload.
   * @param {object} death
   * @param {Exit} death.exit
   * @param {number} death.startingMs how long it had been starting in vain; 0: it had been online
   * @param {string} [death.how] in words that follow 'it', where the exit is not enough
   * @param {number} nowMs monotonic
   */
  noteDeath({ exit, startingMs, how }, nowMs) {
    const { spec: policy } = this.launch;
    const counts = !isResourceShortage(exit);
    const all = counts ? [...this.#deaths, { atMs: nowMs, startingMs }] : this.#deaths;
    const deaths = recentDeaths(all, nowMs, policy.restartWindowMs);
    this.#deaths = deaths;
    const decision = decideRestart({ policy, exit, how, deaths, nowMs, random: Math.random() });
    if (decision.action === 'restart') {
      if (counts) this.restarts += 1;
      this.retryAtMs = decision.delayMs > 0 ? nowMs + decision.delayMs : 0;
      return;
    }
    this.blocked = decision.action;
    this.reason = decision.reason;
  }
}
