/** What happens → what `monit` knows then, and what is to be done. Pure. */
import { remember } from './history.js';
import { meaningOf } from './keys.js';
import { onAction } from './on-key.js';
import { shownRows, withApps } from './state.js';

/**
 * @import { AppView } from '../../protocol/shapes.js'
 * @import { KeyPress } from './keys.js'
 * @import { Question } from './question.js'
 * @import { LogEntry, State } from './state.js'
 */

/**
 * @typedef {{kind: 'frame', daemon: State['daemon'], apps: AppView[]} |
 *   {kind: 'lost'} | {kind: 'tick'} |
 *   {kind: 'key', text: string | undefined, key: KeyPress} |
 *   {kind: 'log', key: string, entries: LogEntry[], isBegin?: boolean} |
 *   {kind: 'described', about: string, lines: string[]} |
 *   {kind: 'told', text: string, tone: 'plain' | 'good' | 'bad'}} MonitEvent
 *
 * @typedef {{do: 'quit'} | {do: 'redraw'} | {do: 'describe', about: string} |
 *   {do: 'ask', question: Question}} Effect
 *
 * @typedef {{state: State, effects: Effect[]}} Step
 * @typedef {{now: number, rows: number}} Surroundings epoch ms, height of the terminal
 */

/** How long a message stays, in ms. */
const MESSAGE_MS = 8000;
/** Lines of a log that are kept: a page of the highest terminal, and some more. */
const LOG_LINES = 200;
/** Characters of each: more than the widest terminal shows. */
const LOG_WIDTH = 2000;

/**
 * @param {State} state
 * @param {MonitEvent} event
 * @param {Surroundings} surroundings
 * @returns {Step}
 */
export function update(state, event, surroundings) {
  if (event.kind === 'key') return onKey(state, event, surroundings);
  const effects = event.kind === 'frame' ? describeAgain(state) : [];
  return { state: informed(state, event, surroundings.now), effects };
}

/**
 * @param {State} state
 * @param {Exclude<MonitEvent, {kind: 'key'}>} event
 * @param {number} now
 * @returns {State}
 */
function informed(state, event, now) {
  switch (event.kind) {
    case 'frame':
      return framed(state, event, now);
    case 'lost':
      return state.daemon ? { ...state, daemon: null, changedAt: now } : state;
    case 'log':
      return { ...state, log: longerLog(state.log, event) };
    case 'described':
      return described(state, event);
    case 'told':
      return { ...state, message: { text: event.text, tone: event.tone, until: now + MESSAGE_MS } };
    case 'tick':
      return state.message && state.message.until <= now ? { ...state, message: null } : state;
  }
}

/**
 * @param {State} state
 * @param {Extract<MonitEvent, {kind: 'frame'}>} event
 * @param {number} now
 */
function framed(state, { daemon, apps }, now) {
  const next = withApps(
    { ...state, daemon, changedAt: state.daemon ? state.changedAt : now, framedAt: now },
    apps,
  );
  const values = next.rows.map(({ key, figures: { cpu, memory } }) => ({ key, cpu, memory }));
  return keepSelection(state, { ...next, history: remember(state.history, values) });
}

/**
 * A row that is gone leaves the selection where it was on the screen.
 * @param {State} before
 * @param {State} state
 * @returns {State}
 */
function keepSelection(before, state) {
  const rows = shownRows(state);
  if (rows.some(({ key }) => key === state.selected)) return state;
  const at = shownRows(before).findIndex(({ key }) => key === state.selected);
  const row = rows[Math.min(Math.max(0, at), rows.length - 1)];
  return { ...state, selected: row?.key ?? null };
}

/** @param {State} state @returns {Effect[]} a description that is open stays up to date */
function describeAgain({ view }) {
  return view.kind === 'page' && view.about !== null ? [{ do: 'describe', about: view.about }] : [];
}

/**
 * @param {State} state
 * @param {Extract<MonitEvent, {kind: 'described'}>} event
 * @returns {State}
 */
function described(state, { about, lines }) {
  const { view } = state;
  if (view.kind !== 'page' || view.about !== about) return state;
  return { ...state, view: { ...view, lines } };
}

/**
 * @param {State['log']} log
 * @param {Extract<MonitEvent, {kind: 'log'}>} event
 */
function longerLog(log, { key, entries, isBegin = false }) {
  const before = log.key === key && !isBegin ? log.entries : [];
  const short = entries
    .slice(-LOG_LINES)
    .map((entry) => ({ ...entry, message: entry.message.slice(0, LOG_WIDTH) }));
  return { key, entries: [...before, ...short].slice(-LOG_LINES) };
}

/**
 * @param {State} state
 * @param {Extract<MonitEvent, {kind: 'key'}>} event
 * @param {Surroundings} surroundings
 * @returns {Step}
 */
function onKey(state, { text, key }, surroundings) {
  const meaning = meaningOf(state.view.kind, text, key);
  if (meaning === null) return { state, effects: [] };
  if (meaning.action === 'quit') return { state, effects: [{ do: 'quit' }] };
  if (meaning.action === 'redraw') return { state, effects: [{ do: 'redraw' }] };
  const { state: next, effects } = onAction(state, meaning, surroundings);
  return { state: keepSelection(state, next), effects };
}
