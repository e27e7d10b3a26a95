/** `ls --watch`: shows the table and updates it, in place if the terminal allows it. */
import { once } from 'node:events';
import { SILENT_MS, watchApps } from '../../api/feed.js';
import { paint } from '../../show/terminal/palette.js';
import { truncate } from '../../show/terminal/cells.js';
import { renderTable } from './ls.js';
import { sortApps } from './sort.js';
import { FullScreen, isDumb } from '../../show/terminal/full-screen.js';
import { endBy } from '../../show/terminal/keyboard.js';

/**
 * @import { Frame } from '../../api/feed.js'
 * @import { Context } from '../context.js'
 * @import { KeyPress } from '../../clients/monit/keys.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { EndSignal } from '../../show/terminal/keyboard.js'
 * @import { Tty } from '../../show/terminal/full-screen.js'
 */

const LOST = 'Lost the daemon; reconnecting …';
const SILENT = 'The daemon does not reply; this table may be out of date.';

/**
 * @param {Context} context
 * @param {string[]} [names] of the apps to show; by default all, also those that are started later
 * @returns {Promise<number>} the exit code
 */
export async function watchTable(context, names) {
  const { tty, env, options } = context;
  /** @type {Arrange} */
  const arrange = (apps) => {
    const shown = names ? apps.filter(({ name }) => names.includes(name)) : apps;
    return sortApps(shown, options.sort ?? null);
  };
  const isDrawn = tty !== null && !isDumb(env);
  return isDrawn ? drawTables(context, arrange, tty) : printTables(context, arrange);
}

/** @typedef {(apps: App[]) => App[]} Arrange which of them to show, in which order */

/** Prints one table below the other until the reader closes the pipe. @param {Context} context @param {Arrange} arrange */
async function printTables({ daemons, write, note, stdout }, arrange) {
  const ending = new AbortController();
  let isWriting = false;
  const listener = {
    onFrame: async (/** @type {Frame} */ { apps }) => {
      // While the reader stalls (`| less`), tables are skipped instead of buffered.
      if (isWriting) return;
      isWriting = true;
      const hasReader = await write(`${renderTable(arrange(apps), stdout)}\n\n`);
      isWriting = false;
      if (hasReader) return;
      ending.abort();
      daemons.close();
    },
    onLost: () => note(LOST),
  };
  await watchApps(daemons, listener, ending.signal);
  return 0;
}

/** @param {Context} context @param {Arrange} arrange @param {Tty} tty */
async function drawTables({ daemons, print, stdout }, arrange, tty) {
  /** @type {App[]} */
  let apps = [];
  /** @type {string | null} */
  let problem = null;
  /** @type {EndSignal | null} */
  let endSignal = null;
  const ending = new AbortController();
  const terminal = () => ({ ...stdout, width: screen.size.columns });
  const draw = () => screen.draw(linesOf(apps, problem, terminal(), screen.size.rows));
  const screen = new FullScreen(tty, {
    onKey: (_text, key) => isQuit(key) && ending.abort(),
    onEnd: (signal) => {
      endSignal = signal;
      ending.abort();
    },
    onBlank: draw,
  });
  const showProblem = (/** @type {string} */ text) => {
    problem = text;
    draw();
  };
  const silence = setTimeout(() => showProblem(SILENT), SILENT_MS);
  const listener = {
    onFrame: (/** @type {Frame} */ frame) => {
      silence.refresh();
      apps = arrange(frame.apps);
      problem = null;
      draw();
    },
    onLost: () => showProblem(LOST),
  };
  screen.take();
  try {
    await Promise.race([watchApps(daemons, listener, ending.signal), once(ending.signal, 'abort')]);
  } finally {
    ending.abort();
    clearTimeout(silence);
    await screen.release();
  }
  // The last table stays visible, as after `ls` without --watch.
  print(renderTable(apps, terminal()));
  return endSignal === null ? 0 : endBy(endSignal);
}

/** @param {KeyPress} key */
function isQuit({ name, ctrl }) {
  return name === 'q' || name === 'escape' || (ctrl && name === 'c');
}

/**
 * @param {App[]} apps
 * @param {string | null} problem why the table may be out of date
 * @param {Terminal & {width: number}} terminal
 * @param {number} rows
 * @returns {string[]} at most `rows` lines
 */
export function linesOf(apps, problem, terminal, rows) {
  const { red, dim } = paint(terminal);
  const table = renderTable(apps, terminal).split('\n');
  const last = problem
    ? red(truncate(problem, terminal.width))
    : dim(truncate('Press q to quit.', terminal.width));
  const room = Math.max(1, rows - 2);
  if (table.length <= room) return [...table, '', last].slice(0, rows);
  const more = dim(truncate(`… ${table.length - room + 1} more rows`, terminal.width));
  return [...table.slice(0, room - 1), more, '', last].slice(0, rows);
}
