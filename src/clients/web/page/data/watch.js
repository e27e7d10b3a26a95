/** What only one view needs, while it and the tab are visible: the details of an app, or the lines of logs. */
import { fetchDetails, readStream, visible, whileVisible } from './connection.js';

/**
 * @import { StreamEvent } from './connection.js'
 * @import { LogLine } from '../../shapes.js'
 * @import { Route } from './route.js'
 * @import { PageState } from './store.js'
 */

/** Events in quick succession cause one request. */
const QUIET_MS = 400;

/** The details of the app that is shown, asked for again when something happens to it. */
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

  /** @param {StreamEvent} event that is about to change what is drawn */
  receive({ name, data }) {
    // What happened to the app meanwhile came with no event.
    if (name === 'snapshot' || (name === 'change' && data.gone === null)) this.show(null);
    if (name === 'event' && data.app === this.#name) this.#askLater();
  }

  #askLater() {
    if (this.#timer !== 0) return;
    this.#timer = setTimeout(async () => {
      await visible();
      this.#timer = 0;
      if (this.#name !== null) this.#describe(this.#name);
    }, QUIET_MS);
  }

  /** @param {string} name */
  async #describe(name) {
    const details = await fetchDetails(name).then(
      (data) => ({ name, data, problem: '' }),
      ({ message }) => ({ name, data: null, problem: message }),
    );
    // Another app may be shown now.
    if (name === this.#name) this.#onDetails(details);
  }
}

const MAX_LINES = 2000;
const RETRY_MS = 1000;

/** The lines that the view of logs asks for. */
export class Logs {
  /** @type {LogLine[]} the oldest first */
  lines = [];
  problem = '';
  /** Whether the newest line stays in sight. */
  isFollowing = true;
  #onChange;
  /** @type {string | null} */
  #url = null;
  #abort = new AbortController();

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** @param {string | null} url of the lines to show; null: none */
  show(url) {
    if (url === this.#url) return;
    this.#url = url;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.lines = [];
    this.problem = '';
    this.isFollowing = true;
    if (url !== null) this.#follow(url, this.#abort.signal);
  }

  /** @param {boolean} isFollowing */
  follow(isFollowing) {
    if (isFollowing === this.isFollowing) return;
    this.isFollowing = isFollowing;
    this.#onChange();
  }

  /** @param {string} url @param {AbortSignal} signal */
  async #follow(url, signal) {
    while (!signal.aborted) {
      await visible();
      const { text } = await whileVisible((hidden) =>
        readStream(url, (event) => this.#receive(event), AbortSignal.any([signal, hidden])),
      );
      if (signal.aborted) return;
      if (!document.hidden) this.#say(text);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** @param {StreamEvent} event */
  #receive({ name, data }) {
    if (name === 'problem') return this.#say(data.text);
    if (name !== 'lines') return;
    this.lines = linesAfter(this.lines, data, MAX_LINES);
    this.problem = '';
    this.#onChange();
  }

  /** @param {string} text */
  #say(text) {
    this.problem = text;
    this.#onChange();
  }
}

/** @param {Route} route @returns {string | null} of the lines that its view shows; null: none */
export function logsUrl({ view, app, slot, level, search }) {
  if (view !== 'logs') return null;
  const query = new URLSearchParams({ level, search });
  if (app !== null) query.set('target', slot === null ? app : `${app}:${slot}`);
  return `api/logs?${query}`;
}

/**
 * @param {LogLine[]} lines that are shown, the oldest first
 * @param {{isFirst: boolean, records: LogLine[]}} received isFirst: they replace all others
 * @param {number} limit number of lines
 */
export function linesAfter(lines, { isFirst, records }, limit) {
  return (isFirst ? records : [...lines, ...records]).slice(-limit);
}
