/** What a key means, by what is on the screen. */

/**
 * @typedef {{name?: string, ctrl?: boolean, meta?: boolean, sequence?: string}} KeyPress as
 *   node:readline reads it
 */

/** @type {Record<string, string>} */
const MOVES = {
  up: 'up',
  k: 'up',
  down: 'down',
  j: 'down',
  pageup: 'page-up',
  pagedown: 'page-down',
  home: 'first',
  g: 'first',
  end: 'last',
  G: 'last',
};

/** @type {Record<string, string>} */
const TABLE = {
  ...MOVES,
  '/': 'filter',
  ' ': 'fold',
  r: 'reload',
  R: 'restart',
  s: 'stop',
  '+': 'more',
  '=': 'more',
  '-': 'fewer',
  d: 'describe',
  return: 'describe',
  enter: 'describe',
  '?': 'help',
  h: 'help',
  q: 'quit',
  escape: 'clear',
};

/** @type {Record<string, string>} */
const PAGE = { ...MOVES, ' ': 'page-down', q: 'close', escape: 'close', d: 'close', '?': 'close' };

/** @type {Record<string, string>} */
const QUESTION = { y: 'yes', Y: 'yes', '+': 'more', '=': 'more', '-': 'fewer' };

/** @type {Record<string, string>} */
const FILTER = {
  return: 'done',
  enter: 'done',
  escape: 'clear',
  backspace: 'erase',
  up: 'up',
  down: 'down',
};

/** @typedef {'table' | 'filter' | 'question' | 'page'} Mode */

/**
 * @param {Mode} mode
 * @param {string | undefined} text that the key would type
 * @param {KeyPress} key
 * @returns {{action: string, text?: string} | null} null: it means nothing here
 */
export function meaningOf(mode, text, { name = '', ctrl, meta }) {
  if (ctrl) return ctrlMeaning(mode, name);
  if (meta && name !== 'escape') return null;
  if (mode === 'filter') return filterMeaning(text ?? '', name);
  return keyMeaning(mode, text ?? '', name);
}

/**
 * @param {'table' | 'page' | 'question'} mode
 * @param {string} text
 * @param {string} name
 */
function keyMeaning(mode, text, name) {
  const keys = { table: TABLE, page: PAGE, question: QUESTION }[mode];
  // A letter's name is the same whatever its case.
  const action = own(keys, text) ?? own(keys, name.length > 1 ? name : '');
  if (mode === 'question') return { action: action ?? 'no' };
  return action === undefined ? null : { action };
}

/**
 * @param {string} text
 * @param {string} name
 */
function filterMeaning(text, name) {
  const action = own(FILTER, name);
  if (action !== undefined) return { action };
  return isPrintable(text) ? { action: 'type', text } : null;
}

/**
 * @param {Mode} mode
 * @param {string} name
 */
function ctrlMeaning(mode, name) {
  if (name === 'c') return { action: 'quit' };
  if (name === 'l') return { action: 'redraw' };
  return mode === 'question' ? { action: 'no' } : null;
}

/**
 * @param {Record<string, string>} keys
 * @param {string} key
 * @returns {string | undefined}
 */
function own(keys, key) {
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/** @param {string} text */
function isPrintable(text) {
  return /^[^\p{C}]+$/u.test(text);
}
