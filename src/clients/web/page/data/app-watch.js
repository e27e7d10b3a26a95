/** What only the page of one app needs: its details, asked for again when something happens to it, and its last 15 minutes. */
import { History } from './history.js';
import { fetchDetails, fetchHistory, visible } from './connection.js';

/**
 * @import { LineEvent, Sample } from '../../shapes.js'
 * @import { PageState } from './model.js'
 */

const MAX_SAMPLES = 900;
/** Events in quick succession cause one request. */
const QUIET_MS = 400;
/** While workers are blocked, or wait: where they are changes without an event, and it costs a process to see it. */
const STUCK_MS = 5000;

export class AppWatch {
  history = new History(MAX_SAMPLES);
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
    this.history = new History(MAX_SAMPLES);
    if (name === null) return;
    this.#describe(name);
    fetchHistory(name)
      .then((received) => {
        if (name === this.#name) this.history = new History(MAX_SAMPLES, received);
      })
      // The charts then begin with the next sample.
      .catch(() => {});
  }

  /** @param {LineEvent} event */
  onEvent(event) {
    if ('app' in event && event.app === this.#name) this.#askIn(QUIET_MS);
  }

  /** @param {Sample} sample */
  add(sample) {
    if (this.#name !== null) this.history.add(sample, this.#name);
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
