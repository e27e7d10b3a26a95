/** `ls --watch`: the table again and again, in place where the terminal allows it. */
import { watchApps } from './feed.js';
import { endBy, takeKeyboard } from './keyboard.js';
import { cut } from './render/cells.js';
import { paint } from './render/palette.js';
import { NOTHING_RUNS, renderTable } from './render/table.js';
import { Screen } from './screen.js';
import { isDumb } from './terminal.js';

/** @typedef {import('./render/table.js').App} App */

const LOST = 'The daemon is gone; reconnecting …';

/**
 * @param {import('./context.js').Context} context
 * @returns {Promise<number>} the exit code
 */
export async function watchTable(context) {
  const { daemons, tty, env, print } = context;
  if ((await daemons.open('recorded')) === null) {
    print(NOTHING_RUNS);
    return 0;
  }
  return tty === null || isDumb(env) ? printTables(context) : drawTables(context, tty);
}

/**
 * One table after the other, for what is no terminal, or one that cannot be drawn on.
 * @param {import('./context.js').Context} context
 * @returns {Promise<number>}
 */
async function printTables({ daemons, print, note, stdout }) {
  let isLost = false;
  const listener = {
    frame: (/** @type {{apps: App[]}} */ { apps }) => {
      isLost = false;
      print(`${renderTable(apps, stdout)}\n`);
    },
    lost: () => {
      if (!isLost) note(LOST);
      isLost = true;
    },
  };
  await watchApps(daemons, listener, new AbortController().signal);
  return 0;
}

/**
 * @param {import('./context.js').Context} context
 * @param {import('./terminal.js').Tty} tty
 * @returns {Promise<number>}
 */
async function drawTables(context, { input, output }) {
  const { daemons, print, stdout } = context;
  /** @type {App[]} */
  let apps = [];
  let isLost = false;
  /** @type {import('./keyboard.js').Ending | null} */
  let signal = null;
  const ending = new AbortController();
  const lookOf = () => ({ ...stdout, width: screen.size.columns });
  const draw = () => screen.draw(linesOf(apps, isLost, lookOf(), screen.size.rows));
  const screen = new Screen(output, draw);
  const release = takeKeyboard(input, {
    pressed: (_text, key) => isQuit(key) && ending.abort(),
    ended: (name) => {
      signal = name;
      ending.abort();
    },
  });
  const show = (/** @type {boolean} */ lost, /** @type {App[]} */ now) => {
    [isLost, apps] = [lost, now];
    draw();
  };
  const listener = {
    frame: (/** @type {{apps: App[]}} */ frame) => show(false, frame.apps),
    lost: () => show(true, apps),
  };
  screen.enter();
  try {
    await Promise.race([watchApps(daemons, listener, ending.signal), aborted(ending.signal)]);
  } finally {
    ending.abort();
    await screen.leave();
    release();
  }
  // What was seen last stays on the screen, as of a command that does not watch.
  print(renderTable(apps, lookOf()));
  return signal === null ? 0 : endBy(signal);
}

/** @param {import('./monit/keys.js').KeyPress} key */
function isQuit({ name, ctrl }) {
  return name === 'q' || name === 'escape' || (ctrl && name === 'c');
}

/**
 * @param {App[]} apps
 * @param {boolean} isLost
 * @param {import('./render/palette.js').Terminal & {width: number}} terminal
 * @param {number} rows
 * @returns {string[]} at most that many
 */
export function linesOf(apps, isLost, terminal, rows) {
  const { red, dim } = paint(terminal);
  const table = renderTable(apps, terminal).split('\n');
  const last = isLost ? red(cut(LOST, terminal.width)) : dim(cut('q ends it', terminal.width));
  const room = Math.max(1, rows - 2);
  if (table.length <= room) return [...table, '', last].slice(0, rows);
  const more = dim(cut(`… ${table.length - room + 1} rows more`, terminal.width));
  return [...table.slice(0, room - 1), more, '', last].slice(0, rows);
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function aborted(signal) {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
