/** The keys of `monit` and of the page in the browser: what each does, and what the last line and the help say of it. */

/** @typedef {ReturnType<typeof key>} Key or several that belong together */

/**
 * @param {string} shown in the help; the last line has only what stands before two spaces
 * @param {Record<string, string>} does an action by key, as browsers name it; the space bar is `Space`
 * @param {string} [label] in the last line; empty: it is not there
 * @param {string} [help] empty: it is not there
 */
export function key(shown, does, label = '', help = '') {
  return { shown, does, label, help };
}

const MOVES = {
  ArrowUp: 'up',
  k: 'up',
  ArrowDown: 'down',
  j: 'down',
  PageUp: 'page-up',
  PageDown: 'page-down',
  Home: 'first',
  g: 'first',
  End: 'last',
  G: 'last',
};
export const move = key('↑ ↓  j k', MOVES, 'move', 'move; also PgUp PgDn, g G');
export const filter = key('/', { '/': 'filter' }, 'filter', 'filter by name or state');
export const clear = key('Esc', { Escape: 'clear' }, '', 'clear the filter');
export const fold = key('Space', { Space: 'fold' }, 'fold', 'fold or unfold an app');
const DESCRIBES = { d: 'describe', Enter: 'describe' };
export const describe = key('d  Enter', DESCRIBES, 'describe', 'describe the app');
export const logs = key('l', { l: 'logs' }, 'log', 'the log');
const SCALES = { '+': 'more', '=': 'more', '-': 'fewer' };
export const scale = key('+ -', SCALES, 'scale', 'more or fewer workers');
/** Each asks before it changes anything. */
export const commands = [
  key('r', { r: 'reload' }, 'reload', 'reload'),
  key('R', { R: 'restart' }, 'restart', 'restart'),
  key('s', { s: 'stop' }, 'stop', 'stop; start if stopped'),
  key('n', { n: 'run-now' }, '', 'run a job now'),
  scale,
];
export const help = key('?', { '?': 'help', h: 'help' }, 'help');
export const back = key('q  Esc', { q: 'close', Escape: 'close' }, 'back');

/**
 * @param {readonly Key[]} keys of a view
 * @returns {Map<string, string>} an action by key; of a key that is in two of them, that of the latter
 */
export function actionsOf(keys) {
  return new Map(keys.flatMap(({ does }) => Object.entries(does)));
}

/** @param {readonly Key[]} keys of a view @returns {[key: string, label: string][]} for the last line */
export function labelsOf(keys) {
  return keys.flatMap(({ shown, label }) => (label ? [[shown.split('  ')[0], label]] : []));
}

/** @param {readonly Key[]} keys of a view @returns {[keys: string, meaning: string][]} for the help */
export function helpOf(keys) {
  return keys.flatMap(({ shown, help: meaning }) => (meaning ? [[shown, meaning]] : []));
}
