/** The details of the app that is shown, asked for again when something happens to it. */
import { fetchDetails, visible } from './connection.js';

/**
 * @import { LineEvent } from '../../shapes.js'
 * @import { PageState } from './model.js'
 */

/** Events in quick succession cause one request. */
const QUIET_MS = 400;
/** While workers are blocked, or wait: where they are changes without an event, and it costs a process to see it. */
const STUCK_MS = 5000;

export class AppWatch {
  #onDetails;
  /** @type {string | null} */
  #name = null;
  #timer = 0;

  /** @param {(details: NonNullable<PageState['details']>) => void} onDetails */
  constructor(onDetails) {
    this.#onDetails = onDetails;
  }

  /** @param {string | null} name of the app that is shown; null: none */
  show(name) {
    if (name === this.#name) return;
    this.#name = name;
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (name !== null) this.#describe(name);
  }

  /** @param {LineEvent} event */
  onEvent(event) {
    if ('app' in event && event.app === this.#name) this.#askIn(QUIET_MS);
  }

  /** @param {number} ms */
  #askIn(ms) {
    if (this.#timer !== 0) return;
    this.#timer = setTimeout(async () => {
      await visible();
      this.#timer = 0;
      if (this.#name !== null) this.#describe(this.#name);
    }, ms);
  }

  /** @param {string} name */
  async #describe(name) {
    const details = await fetchDetails(name).then(
      (data) => ({ name, data, problem: '' }),
      ({ message }) => ({ name, data: null, problem: message }),
    );
    // To look into a blocked worker takes a while, and another app may be shown now.
    if (name !== this.#name) return;
    if (details.data?.app.workers.some(({ stack }) => stack)) this.#askIn(STUCK_MS);
    this.#onDetails(details);
  }
}
