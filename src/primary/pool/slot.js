/** One numbered place for a worker, and what it remembers of those that it has had. */
import {
  decideRestart,
  isAllowedEnd,
  wasRefused,
  withinWindow,
} from '../../lifecycle/restart-policy.js';

/**
 * @import { Death, Exit } from '../../lifecycle/restart-policy.js'
 * @import { PastExit, SlotFailure } from '../../protocol/shapes.js'
 * @import { Launch } from './generation.js'
 */

/** How many exits are remembered. */
const KEPT_EXITS = 5;

export class Slot {
  wanted = true;
  /** Unwanted only until its worker is gone. */
  comesBack = false;
  /** Not to be started by itself. @type {'errored' | 'exited' | null} */
  blocked = null;
  /** Why its worker is not online. @type {string | null} */
  reason = null;
  /** Monotonic, in milliseconds. */
  retryAtMs = 0;
  restarts = 0;
  /** A failure that no command has reported yet. */
  hasFailed = false;
  /** Ends that nobody had asked for, the latest first. @type {PastExit[]} */
  exits = [];
  /** @type {Promise<SlotFailure> | null} the last failure, when its last lines have come */
  lastFailure = null;
  /** Before the reload under way. @type {Pick<Slot, 'launch' | 'blocked' | 'reason'> | null} */
  previous = null;
  /** Its worker listened before a restart: clients wait for the next one to do so. */
  listensAgain = false;
  /** @type {'keep' | 'close'} what its retiring workers do about idle connections */
  idle = 'keep';
  /** @type {readonly Death[]} */
  #deaths = [];

  /**
   * @param {number} number
   * @param {Launch} launch
   */
  constructor(number, launch) {
    this.number = number;
    this.launch = launch;
  }

  /**
   * A command of the user's: what was before is forgiven.
   * @param {Launch} [launch] run this from now on
   */
  want(launch = this.launch) {
    this.wanted = true;
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

  /**
   * @param {'keep' | 'close'} idle
   * @param {{comesBack?: boolean}} [then]
   */
  unwant(idle, { comesBack = false } = {}) {
    this.wanted = false;
    this.comesBack = comesBack;
    this.idle = idle;
    this.blocked = null;
    this.reason = null;
  }

  /** @param {Launch} launch what a reload wants it to run */
  beginReload(launch) {
    const { blocked, reason } = this;
    this.previous = { launch: this.launch, blocked, reason };
    this.want(launch);
  }

  /** The reload failed: what ran before is wanted again, and from now on dies as ever. */
  goBack() {
    if (!this.previous) return;
    this.launch = this.previous.launch;
    this.blocked = this.previous.blocked;
    if (this.blocked !== null) this.reason = this.previous.reason;
    this.hasFailed = false;
    this.previous = null;
  }

  /** It is replaced: a death from now on is no fault of the reload's. */
  endReload() {
    this.previous = null;
  }

  /**
   * @param {Exit} exit of a replacement
   * @returns {boolean} it has ended as it may, and as what ran before it had
   */
  endsAsBefore(exit) {
    return this.previous?.blocked === 'exited' && isAllowedEnd(this.launch.spec, exit);
  }

  /** Counters and deaths begin anew; one that has given up stays so. */
  reset() {
    this.restarts = 0;
    this.#deaths = [];
  }

  /**
   * @param {object} end
   * @param {string} end.reason
   * @param {Exit} end.exit
   * @param {number} end.uptimeMs
   * @param {Promise<string[]>} end.lastWords
   * @returns {Promise<SlotFailure>} when the last lines have come
   */
  noteFailure({ reason, exit, uptimeMs, lastWords }) {
    // Of one that was given up the restart policy has been asked before it ended.
    if (this.blocked === null) this.reason = reason;
    /** @type {PastExit} */
    const past = {
      ...exit,
      reason,
      uptimeMs: Math.round(uptimeMs),
      at: Date.now(),
      lastLines: [],
    };
    const earlier = this.exits.slice(0, KEPT_EXITS - 1);
    this.exits = [past, ...earlier.map((each) => ({ ...each, lastLines: [] }))];
    this.lastFailure = lastWords.then((lastLines) => {
      if (this.exits[0] === past) past.lastLines = lastLines;
      return { slot: this.number, reason, lastLines };
    });
    return this.lastFailure;
  }

  /**
   * A death that no reload explains: restart, or give up.
   * @param {object} end
   * @param {Exit} end.exit
   * @param {number} end.startingMs how long it had been starting in vain; 0: it had been online
   * @param {string} [end.how] in words, where the exit alone does not tell
   * @param {number} nowMs monotonic
   */
  noteDeath({ exit, startingMs, how }, nowMs) {
    const { spec: policy } = this.launch;
    const isDeath = !wasRefused(exit);
    const all = isDeath ? [...this.#deaths, { atMs: nowMs, startingMs }] : this.#deaths;
    const deaths = withinWindow(all, nowMs, policy.restartWindowMs);
    this.#deaths = deaths;
    const decision = decideRestart({ policy, exit, how, deaths, nowMs, random: Math.random() });
    if (decision.action === 'restart') {
      if (isDeath) this.restarts += 1;
      this.retryAtMs = decision.delayMs > 0 ? nowMs + decision.delayMs : 0;
      return;
    }
    this.blocked = decision.action;
    this.reason = decision.reason;
  }
}
