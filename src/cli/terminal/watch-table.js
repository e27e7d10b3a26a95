/** `ls --watch`: the table again and again, in place where the terminal allows it. */
import { SILENT_MS, watchApps } from '../actions/feed.js';
import { FullScreen } from './full-screen.js';
import { endBy } from './keyboard.js';
import { cut } from '../render/table/cells.js';
import { paint } from '../render/palette.js';
import { NOTHING_RUNS, renderTable } from '../render/table/ls.js';
import { isDumb } from './terminal.js';

/**
 * @import { Context } from '../context.js'
 * @import { KeyPress } from '../monit/keys.js'
 * @import { Terminal } from '../render/palette.js'
 * @import { App } from '../render/table/ls.js'
 * @import { Ending } from './keyboard.js'
 * @import { Tty } from './terminal.js'
 */

const LOST = 'The daemon is gone; reconnecting …';
const SILENT = 'The daemon is silent; this is how it was.';

/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code
 */
export async function watchTable(context) {
  const { daemons, tty, env, print } = context;
  if ((await daemons.open()) === null) {
    print(NOTHING_RUNS);
    return 0;
  }
  return tty === null || isDumb(env) ? printTables(context) : drawTables(context, tty);
}

/**
 * One table after the other, for what is no terminal, or one that cannot be drawn on.
 * @param {Context} context
 * @returns {Promise<number>} when nobody reads them any more
 */
async function printTables({ daemons, write, note, stdout }) {
  const ending = new AbortController();
  let isLost = false;
  // A reader that stalls (`| less`) misses tables, and nothing piles up.
  let isWriting = false;
  const listener = {
    frame: async (/** @type {{apps: App[]}} */ { apps }) => {
      isLost = false;
      if (isWriting) return;
      isWriting = true;
      const isRead = await write(`${renderTable(apps, stdout)}\n\n`);
      isWriting = false;
      if (isRead) return;
      ending.abort();
      daemons.close();
    },
    lost: () => {
      if (!isLost) note(LOST);
      isLost = true;
    },
  };
  await watchApps(daemons, listener, ending.signal);
  return 0;
}

/**
 * @param {Context} context
 * @param {Tty} tty
 * @returns {Promise<number>}
 */
async function drawTables({ daemons, print, stdout }, tty) {
  /** @type {App[]} */
  let apps = [];
  /** @type {string | null} */
  let trouble = null;
  /** @type {Ending | null} */
  let signal = null;
  const ending = new AbortController();
  const lookOf = () => ({ ...stdout, width: screen.size.columns });
  const draw = () => screen.draw(linesOf(apps, trouble, lookOf(), screen.size.rows));
  const screen = new FullScreen(tty, {
    pressed: (_text, key) => isQuit(key) && ending.abort(),
    ended: (name) => {
      signal = name;
      ending.abort();
    },
    blank: draw,
  });
  const show = (/** @type {string | null} */ wrong, now = apps) => {
    [trouble, apps] = [wrong, now];
    draw();
  };
  const silence = setTimeout(() => show(SILENT), SILENT_MS);
  const listener = {
    frame: (/** @type {{apps: App[]}} */ frame) => {
      silence.refresh();
      show(null, frame.apps);
    },
    lost: () => show(LOST),
  };
  screen.take();
  try {
    await Promise.race([watchApps(daemons, listener, ending.signal), aborted(ending.signal)]);
  } finally {
    ending.abort();
    clearTimeout(silence);
    await screen.giveBack();
  }
  // What was seen last stays on the screen, as of a command that does not watch.
  print(renderTable(apps, lookOf()));
  return signal === null ? 0 : endBy(signal);
}

/** @param {KeyPress} key */
function isQuit({ name, ctrl }) {
  return name === 'q' || name === 'escape' || (ctrl && name === 'c');
}

/**
 * @param {App[]} apps
 * @param {string | null} trouble why this may be old
 * @param {Terminal & {width: number}} terminal
 * @param {number} rows
 * @returns {string[]} at most that many
 */
export function linesOf(apps, trouble, terminal, rows) {
  const { red, dim } = paint(terminal);
  const table = renderTable(apps, terminal).split('\n');
  const last = trouble ? red(cut(trouble, terminal.width)) : dim(cut('q ends it', terminal.width));
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
