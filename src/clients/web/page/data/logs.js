/** Reads the log lines that the view of logs asks for, while that view and the tab are visible. */
import { visible, whileVisible, readStream } from './connection.js';

/**
 * @import { StreamEvent } from './connection.js'
 * @import { LogLine } from '../../shapes.js'
 * @import { Route } from './model.js'
 */

const MAX_LINES = 2000;
const RETRY_MS = 1000;

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
