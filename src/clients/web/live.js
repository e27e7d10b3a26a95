/** What the open pages show. While none is open, nothing is watched and no worker measures. */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { SILENT_MS, watchApps } from '../../api/feed.js';
import { NodeclusterError } from '../../errors/error.js';
import { includesEvent, withEvent } from '../../lifecycle/recent-events.js';
import { eventText } from '../../show/event.js';
import { byName, patchBetween } from '../../shared/merge-patch.js';
import { finderOf } from '../../api/find-daemon.js';
import { ROLE } from './daemon.js';

/**
 * @import { Frame } from '../../api/feed.js'
 * @import { Event } from '../../protocol/shapes.js'
 * @import { LineEvent, State, StreamEvents } from './shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { EventWriter } from './respond.js'
 */

/** Characters of one event's line. */
const MAX_TEXT = 1000;
/** After an error that a retry at once would meet again. */
const RETRY_MS = 5000;
const CHECK_MS = 1000;
const SILENT = 'The daemon does not answer.';

export class Live {
  #paths;
  /** @type {State} */
  state;
  /** @type {LineEvent[]} */
  events = [];
  /** @type {Set<Tab>} */
  #tabs = new Set();
  /** Whether the state is that of a moment ago. */
  #isFresh = false;
  #framedMs = 0;
  #ending = new AbortController();

  /** @param {HomePaths} paths @param {boolean} isReadOnly */
  constructor(paths, isReadOnly) {
    this.#paths = paths;
    this.state = { hostname: hostname(), home: paths.home, isReadOnly, order: [], apps: {} };
  }

  /** @param {Tab} tab gets a snapshot as soon as the state is known, then what changes @returns {() => void} removes it */
  add(tab) {
    this.#tabs.add(tab);
    if (this.#tabs.size === 1) this.#start();
    else if (this.#isFresh) tab.catchUp(() => this.#snapshot());
    return () => {
      if (this.#tabs.delete(tab) && this.#tabs.size === 0) this.#ending.abort();
    };
  }

  /**
   * @template {Exclude<keyof StreamEvents, 'snapshot'>} K
   * @param {K} name
   * @param {StreamEvents[K]} payload
   */
  send(name, payload) {
    const json = JSON.stringify(payload);
    for (const tab of this.#tabs) tab.send(name, json);
  }

  async #start() {
    this.#isFresh = false;
    this.#framedMs = performance.now();
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    const check = setInterval(() => {
      if (performance.now() - this.#framedMs > SILENT_MS) this.#onLost(SILENT);
    }, CHECK_MS);
    signal.addEventListener('abort', () => clearInterval(check));
    const finder = finderOf(this.#paths, ROLE);
    /** @type {Parameters<typeof watchApps>[1]} */
    const listener = {
      onFrame: (frame) => this.#onFrame(frame),
      onEvent: (event) => this.#onEvent(event),
      onLost: (error) => this.#onLost(error?.message ?? null),
      since: () => this.events.at(-1)?.at ?? 0,
    };
    while (!signal.aborted) {
      await watchApps(finder, listener, signal).catch((thrown) =>
        this.#onLost(NodeclusterError.from(thrown).message),
      );
      await pause(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** @param {Frame} frame */
  #onFrame({ at, apps }) {
    const { hostname, home, isReadOnly } = this.state;
    this.#framedMs = performance.now();
    this.#isFresh = true;
    this.#setState({ hostname, home, isReadOnly, at, ...byName(apps) });
    this.#catchUp();
  }

  /** @param {Event} event */
  #onEvent(event) {
    // What a program sends with its event may be large; its line is enough here.
    const small = 'data' in event ? { ...event, data: null } : event;
    const text = eventText(event).slice(0, MAX_TEXT);
    const shown = { ...small, text };
    if (includesEvent(this.events, shown)) return;
    this.events = withEvent(this.events, shown);
    this.send('event', shown);
  }

  /** @param {string | null} reason */
  #onLost(reason) {
    if (this.state.gone && this.#isFresh) return;
    this.#isFresh = true;
    const gone = { since: Date.now(), ...(reason !== null && { reason }) };
    this.#setState({ ...this.state, gone });
    this.#catchUp();
  }

  /** @param {State} next */
  #setState(next) {
    const patch = patchBetween(this.state, next);
    this.state = next;
    if (patch) this.send('change', patch);
  }

  #catchUp() {
    /** @type {string | null} */
    let text = null;
    const snapshot = () => (text ??= this.#snapshot());
    for (const tab of this.#tabs) tab.catchUp(snapshot);
  }

  #snapshot() {
    return JSON.stringify({ state: this.state, events: this.events });
  }
}

/** One open page: it gets changes while it reads them, and otherwise a fresh snapshot when it has caught up. */
export class Tab {
  #writer;
  /** Whether it knows the current state. */
  isCurrent = false;

  /** @param {Pick<EventWriter, 'send' | 'isBehind'>} writer */
  constructor(writer) {
    this.#writer = writer;
  }

  /** @param {() => string} snapshot JSON; called only if it is needed */
  catchUp(snapshot) {
    if (this.isCurrent || this.#writer.isBehind) return;
    this.isCurrent = true;
    this.#writer.send('snapshot', snapshot());
  }

  /** @param {Exclude<keyof StreamEvents, 'snapshot'>} name @param {string} json */
  send(name, json) {
    if (!this.isCurrent) return;
    if (this.#writer.isBehind) this.isCurrent = false;
    else this.#writer.send(name, json);
  }
}
