/** Computes the next state of `monit` and the effects of an event. Pure. */
import { actionFor, onAction } from './keys.js';
import { readable } from '../../show/log-record.js';
import { neededColumns } from '../../show/columns.js';
import { pastFrames, STEP_MS } from '../../show/past.js';
import { rowsOf, statusesOf, withFigures } from '../../show/rows.js';
import { MAX_LOG_LINES, withShown } from './state.js';

/**
 * @import { App } from '../../protocol/shapes.js'
 * @import { Confirmation } from '../confirmation.js'
 * @import { KeyPress } from './keys.js'
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { Log, PageCommand, State } from './state.js'
 * @import { BareRow } from '../../show/rows.js'
 *
 * @typedef {{kind: 'frame', daemon: State['daemon'], apps: App[]} |
 *   {kind: 'past', apps: App[]} | {kind: 'lost'} | {kind: 'tick'} |
 *   {kind: 'key', text: string | undefined, key: KeyPress} |
 *   {kind: 'log', key: string, entries: Entry[], isFirst?: boolean} |
 *   {kind: 'output', command: PageCommand, lines: string[]} |
 *   {kind: 'message', text: string, tone: 'plain' | 'good' | 'bad'}} MonitEvent
 *
 * @typedef {{do: 'quit'} | {do: 'redraw'} | {do: 'show', command: PageCommand} |
 *   {do: 'send', confirmation: Confirmation}} Effect
 *
 * @typedef {{state: State, effects: Effect[]}} Step
 * @typedef {{now: number, rows: number, columns: number}} Surroundings epoch ms, size of the terminal
 */

const MESSAGE_MS = 8000;
/** In characters. */
const MAX_LOG_WIDTH = 2000;

/** @param {State} state @param {MonitEvent} event @param {Surroundings} surroundings @returns {Step} */
export function update(state, event, surroundings) {
  const { view } = state;
  if (event.kind === 'key') {
    const action = actionFor(view.kind, event.text, event.key);
    if (action === null) return { state, effects: [] };
    const { action: name } = action;
    if (name === 'quit' || name === 'redraw') return { state, effects: [{ do: name }] };
    const step = onAction(state, action, surroundings);
    return { state: withShown(state, step.state, surroundings.rows), effects: step.effects };
  }
  // A description that is open stays up to date; `why` may have to interrupt a worker.
  const command = event.kind === 'frame' && view.kind === 'page' ? view.command : null;
  return {
    state: withShown(state, onEvent(state, event, surroundings.now), surroundings.rows),
    effects: command?.[0] === 'describe' ? [{ do: 'show', command }] : [],
  };
}

/** @param {State} state @param {Exclude<MonitEvent, {kind: 'key'}>} event @param {number} now */
function onEvent(state, event, now) {
  switch (event.kind) {
    case 'frame':
      return onFrame(state, event, now);
    case 'past':
      return { ...state, history: pastOf(event.apps) };
    case 'lost':
      return state.daemon ? { ...state, daemon: null, changedAt: now } : state;
    case 'log':
      return { ...state, log: appendLog(state.log, event) };
    case 'output':
      return onOutput(state, event);
    case 'message':
      return { ...state, message: { text: event.text, tone: event.tone, until: now + MESSAGE_MS } };
    case 'tick':
      return state.message && state.message.until <= now ? { ...state, message: null } : state;
  }
}

/** @param {State} state @param {Extract<MonitEvent, {kind: 'output'}>} event @returns {State} */
function onOutput(state, { command, lines }) {
  const { view } = state;
  const isOpen = view.kind === 'page' && view.command === command;
  return isOpen ? { ...state, view: { ...view, lines } } : state;
}

/** @param {State} state @param {Extract<MonitEvent, {kind: 'frame'}>} event @param {number} now @returns {State} */
function onFrame(state, { daemon, apps }, now) {
  const rows = apps.flatMap(rowsOf);
  return {
    ...state,
    daemon,
    apps,
    framedAt: now,
    changedAt: state.daemon ? state.changedAt : now,
    statuses: statusesOf(rows, now),
    columns: neededColumns('monit', apps, state.columns),
    history: remember(state.history, rows, now),
  };
}

/** @param {Log} log @param {Extract<MonitEvent, {kind: 'log'}>} event @returns {Log} */
function appendLog(log, { key, entries, isFirst = false }) {
  const added = entries
    .slice(-MAX_LOG_LINES)
    .map(readable)
    .map((entry) => ({ ...entry, message: entry.message.slice(0, MAX_LOG_WIDTH) }));
  const before = isFirst || log.key !== key ? [] : log.entries;
  return { key, entries: [...before, ...added].slice(-MAX_LOG_LINES) };
}

/** One sample per second; the bars show fewer. */
const MAX_SAMPLES = 60;

/** @typedef {ReadonlyMap<string, Record<'cpu' | 'memory', (number | null)[]>>} History the last values, for the bars, by the key of a row */

/** A value for each second, as of those that follow. @param {App[]} apps @returns {History} */
function pastOf(apps) {
  const seconds = STEP_MS / 1000;
  const steps = pastFrames(apps).slice(-MAX_SAMPLES / seconds);
  const each = steps.flatMap((step) => Array(seconds).fill(step));
  return each.reduce((past, { at, apps }) => remember(past, apps.flatMap(rowsOf), at), new Map());
}

/** Only of these rows. @param {History} history @param {BareRow[]} rows of a new frame @param {number} now */
function remember(history, rows, now) {
  return new Map(
    rows.map((row) => {
      const { cpu = null, memory = null } = withFigures(row, now).figures;
      const past = history.get(row.key) ?? { cpu: [], memory: [] };
      return [
        row.key,
        {
          cpu: [...past.cpu, cpu].slice(-MAX_SAMPLES),
          memory: [...past.memory, memory].slice(-MAX_SAMPLES),
        },
      ];
    }),
  );
}
