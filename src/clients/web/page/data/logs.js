/** Reads the log lines that the view of logs asks for, while that view and the tab are visible. */
import { startsError } from '../../../../lifecycle/cause.js';
import { appTone } from '../../../../show/state.js';
import { shownApp } from './select.js';
import { visible, whileVisible, readStream } from './connection.js';

/**
 * @import { StreamEvent } from './connection.js'
 * @import { LogLine } from '../../shapes.js'
 * @import { PageState, Route } from './model.js'
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

/** @param {PageState} state @returns {string | null} of the lines that its view shows; null: none */
export function logsUrl(state) {
  const { route, at } = state;
  if (route.view === 'logs') return urlOf(route);
  const app = shownApp(state);
  const isTroubled = app !== null && ['warn', 'bad'].includes(appTone(app, at));
  return isTroubled ? urlOf({ ...route, slot: null, level: 'error' }) : null;
}

/** @param {Route} route */
function urlOf({ app, slot, level, search }) {
  const query = new URLSearchParams({ lines: '1000' });
  if (app !== null) query.set('target', slot === null ? app : `${app}:${slot}`);
  if (level) query.set('level', level);
  if (search) query.set('search', search);
  return `api/logs?${query}`;
}

/**
 * @param {LogLine[]} lines that are shown, the oldest first
 * @param {{isFirst: boolean, records: LogLine[]}} received isFirst: they replace all others
 * @param {number} limit number of lines
 * @returns {LogLine[]}
 */
export function linesAfter(lines, { isFirst, records }, limit) {
  return (isFirst ? records : [...lines, ...records]).slice(-limit);
}

/** What is added to the log of a program, such as where it is blocked. */
const OF_NODECLUSTER = '[nodecluster] ';
const MAX_ERRORS = 8;
/** Of an error with its stack and its properties. */
const MAX_STACK = 40;

/** @param {LogLine[]} lines the oldest first @returns {LogLine[]} the last ones, each message once; the last error is whole */
export function lastErrors(lines) {
  const own = lines.filter(({ message }) => !message.startsWith(OF_NODECLUSTER));
  const texts = own.map(({ message }) => message);
  const head = texts.map((_, at) => startsError(texts, at)).lastIndexOf(true);
  const length = head === -1 ? 0 : lastDifferent(own.slice(head), Infinity).length;
  return lastDifferent(own, length > MAX_STACK ? MAX_ERRORS : Math.max(MAX_ERRORS, length));
}

/** @param {LogLine[]} lines @param {number} count */
function lastDifferent(lines, count) {
  /** @type {Map<string, LogLine>} */
  const latest = new Map();
  for (const line of [...lines].reverse()) {
    if (!latest.has(line.message)) latest.set(line.message, line);
  }
  return [...latest.values()].slice(0, count).reverse();
}
