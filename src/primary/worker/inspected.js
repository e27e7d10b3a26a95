/** What is known of a worker through the inspector of Node, and what looking into it asks of the primary. */
import { describeHang } from '../../lifecycle/hang-policy.js';
import { frameText, innermostOf } from '../../lifecycle/stack-text.js';

/**
 * @import { Stack } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from './handle.js'
 */

export class Inspected {
  /** Its program handles SIGUSR1. */
  ownsSignal = false;
  /** Its heap is being written, so that it replies to nothing. */
  isHeld = false;
  /** Where its event loop is blocked, if somebody has looked. @type {Stack | null} */
  stack = null;
  #worker;

  /** @param {Pick<WorkerHandle, 'pulse' | 'parts' | 'output' | 'emit'>} worker */
  constructor(worker) {
    this.#worker = worker;
  }

  get canReply() {
    return !this.isHeld && this.#worker.pulse.blockedSinceMs === null;
  }

  /** @param {boolean} isBlocked whether its event loop is */
  notePulse(isBlocked) {
    this.stack = null;
    if (isBlocked) this.#worker.emit('blocked');
  }

  /** @param {boolean} isHeld whether it gets no connections and is not judged */
  hold(isHeld) {
    if (isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    this.#worker.pulse.isHeld = isHeld;
    this.#worker.parts.held(isHeld);
    this.#worker.emit('change');
  }

  /** @param {Stack} stack of its event loop, which is blocked */
  noteStack(stack) {
    this.stack = stack;
    this.#worker.emit('change');
  }

  /** @param {number} silentMs @returns {string} why it is killed; its last lines say more */
  explainHang(silentMs) {
    const { frames = [] } = this.stack ?? {};
    for (const frame of innermostOf(frames)) this.#worker.output.add(`at ${frameText(frame)}`);
    return describeHang(silentMs, frames);
  }
}
