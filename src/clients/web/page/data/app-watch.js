/**
 * What only the page of one app needs: its details, asked for again when the app changes, and its
 * last 15 minutes.
 */
import { History } from './history.js';
import { fetchDetails, fetchHistory, visible } from './connection.js';

/**
 * @import { LineEvent, Sample } from '../../shapes.js'
 * @import { App } from '../../../../protocol/shapes.js'
 * @import { PageState } from './model.js'
 */

const MAX_SAMPLES = 900;
/** Changes in quick succession cause one request. */
const QUIET_MS = 400;
/** While workers are blocked, or wait: where they are changes without an event, and it costs a process to see it. */
const STUCK_MS = 5000;

export class AppWatch {
  history = new History(MAX_SAMPLES);
  #onDetails;
  /** @type {string | null} */
  #name = null;
  #seen = '';
  #timer = 0;

  /** @param {(details: NonNullable<PageState['details']>) => void} onDetails */
  constructor(onDetails) {
    this.#onDetails = onDetails;
  }

  /** @param {App | null} app that is shown; null: none */
  show(app) {
    const name = app?.name ?? null;
    if (name !== this.#name) this.#change(name);
    const seen = app === null ? '' : signatureOf(app);
    if (app === null || seen === this.#seen) return;
    this.#seen = seen;
    this.#askIn(QUIET_MS);
  }

  /** @param {LineEvent} event */
  onEvent(event) {
    if ('app' in event && event.app === this.#name) this.#askIn(QUIET_MS);
  }

  /** @param {Sample} sample */
  add(sample) {
    if (this.#name !== null) this.history.add(sample, this.#name);
  }

  /** @param {string | null} name */
  #change(name) {
    this.#name = name;
    this.#seen = '';
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.history = new History(MAX_SAMPLES);
    if (name === null) return;
    fetchHistory(name)
      .then((received) => {
        if (name === this.#name) this.history = new History(MAX_SAMPLES, received);
      })
      // The charts then begin with the next sample.
      .catch(() => {});
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
      (error) => ({
        name,
        data: null,
        problem: error instanceof Error ? error.message : `${error}`,
      }),
    );
    // To look into a blocked worker takes a while, and another app may be shown now.
    if (name !== this.#name) return;
    if (details.data?.app.workers.some(({ stack }) => stack)) this.#askIn(STUCK_MS);
    this.#onDetails(details);
  }
}

/** What its details depend on. @param {App} app */
function signatureOf({ busy, generation, restarts, note, workers }) {
  const states = workers.map((worker) => [worker.id, worker.status, worker.pid]);
  return JSON.stringify([busy, generation, restarts, note, states]);
}
