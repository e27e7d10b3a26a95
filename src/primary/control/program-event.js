/** Events that programs send with `process.send`, for clients that watch the app. */
import { json } from '../../shared/checks.js';

const MAX_NAME = 100;
/** In characters of JSON; a program may also send what is nested too deeply to be sent on. */
const isSmall = json(16_384);
/** Events of a worker at once, and then per second; others are dropped and counted. */
const BURST = 50;
const PER_SECOND = 10;

/**
 * @param {any} message `{type: 'nodecluster:event', name, data}`, or what PM2's bus takes:
 *   `{type: 'process:msg', data}`
 * @returns {{name: string, data: unknown} | null} null: it is not an event, or too large
 */
export function readProgramEvent(message) {
  if (typeof message !== 'object' || message === null) return null;
  const { type, data = null } = message;
  const isOurs = type === 'nodecluster:event';
  if (!isOurs && type !== 'process:msg') return null;
  const name = isOurs ? message.name : type;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return null;
  return isSmall(data) === null ? { name, data } : null;
}

/** How many events one worker may still send. */
export class EventBudget {
  #left = BURST;
  #filledMs;
  #dropped = 0;

  /** @param {number} nowMs monotonic */
  constructor(nowMs) {
    this.#filledMs = nowMs;
  }

  /**
   * @param {number} nowMs monotonic
   * @returns {{dropped: number} | null} how many were dropped before this one; null: this one is too
   */
  take(nowMs) {
    this.#left = Math.min(BURST, this.#left + ((nowMs - this.#filledMs) / 1000) * PER_SECOND);
    this.#filledMs = nowMs;
    if (this.#left < 1) {
      this.#dropped += 1;
      return null;
    }
    this.#left -= 1;
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { dropped };
  }
}
