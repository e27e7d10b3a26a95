/** Maps a key to an action, depending on what is on the screen. */

/**
 * @typedef {{name?: string, ctrl?: boolean, meta?: boolean, sequence?: string}} KeyPress as
 *   node:readline reads it
 * @typedef {'table' | 'filter' | 'confirmation' | 'page'} Mode
 * @typedef {{action: string, text?: string}} Action text: typed into the filter
 */

const moves = {
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

const keymaps = {
  table: keymap({
    ...moves,
    '/': 'filter',
    ' ': 'fold',
    r: 'reload',
    R: 'restart',
    s: 'stop',
    n: 'run-now',
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
  }),
  page: keymap({
    ...moves,
    ' ': 'page-down',
    q: 'close',
    escape: 'close',
    d: 'close',
    '?': 'close',
  }),
  confirmation: keymap({ y: 'yes', Y: 'yes', '+': 'more', '=': 'more', '-': 'fewer' }),
  filter: keymap({
    return: 'done',
    enter: 'done',
    escape: 'clear',
    backspace: 'erase',
    up: 'up',
    down: 'down',
  }),
};

/**
 * @param {Mode} mode
 * @param {string | undefined} text what the key types
 * @param {KeyPress} key
 * @returns {Action | null} null: it does nothing here
 */
export function actionFor(mode, text = '', { name = '', ctrl, meta }) {
  if (ctrl) return ctrlAction(mode, name);
  if (meta && name !== 'escape') return null;
  if (mode === 'filter') return filterAction(text, name);
  // A letter has the same name in upper and lower case, so only longer names are looked up.
  const action = keymaps[mode].get(text) ?? keymaps[mode].get(name.length > 1 ? name : '');
  if (mode === 'confirmation') return { action: action ?? 'no' };
  return action === undefined ? null : { action };
}

/** @param {Mode} mode @param {string} name */
function ctrlAction(mode, name) {
  if (name === 'c') return { action: 'quit' };
  if (name === 'l') return { action: 'redraw' };
  return mode === 'confirmation' ? { action: 'no' } : null;
}

/** @param {string} text @param {string} name */
function filterAction(text, name) {
  const action = keymaps.filter.get(name);
  if (action !== undefined) return { action };
  const isPrintable = /^[^\p{C}]+$/u.test(text);
  return isPrintable ? { action: 'type', text } : null;
}

/** @param {Record<string, string>} actions */
function keymap(actions) {
  return new Map(Object.entries(actions));
}
