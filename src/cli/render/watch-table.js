/** `ls --watch`: shows the table and updates it, in place if the terminal allows it. */
import { once } from 'node:events';
import { SILENT_MS, watchApps } from '../../api/feed.js';
import { worstFirst } from '../../show/rows.js';
import { paint, wrapText } from '../../show/terminal/palette.js';
import { truncate } from '../../show/terminal/cells.js';
import { renderTable } from './ls.js';
import { renderNotes } from '../../show/terminal/notes.js';
import { arrangeApps } from './sort.js';
import { endBy, FullScreen, isDumb } from '../../show/terminal/full-screen.js';

/**
 * @import { Frame } from '../../api/feed.js'
 * @import { Context } from '../context.js'
 * @import { KeyPress } from '../../clients/monit/keys.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { EndSignal, Tty } from '../../show/terminal/full-screen.js'
 */

/** Lines for the heading, a few rows and the end. */
const MIN_TABLE = 8;
const LOST = 'Lost the daemon; reconnecting …';
const SILENT = 'The daemon does not reply; this table may be out of date.';

/** @param {Context} context @param {string[]} [names] of the apps to show; by default all, also later ones */
export async function watchTable(context, names) {
  const { tty, env, options } = context;
  /** @type {Arrange} */
  const arrange = (apps) =>
    arrangeApps(names ? apps.filter(({ name }) => names.includes(name)) : apps, options);
  const isDrawn = tty !== null && !isDumb(env);
  return isDrawn ? drawTables(context, arrange, tty) : printTables(context, arrange);
}

/** @typedef {(apps: App[]) => App[]} Arrange which of them to show, in which order */
/** @typedef {{apps: App[], problem: string | null}} Shown problem: why the table may be out of date */

/** Prints one table below the other until the reader closes the pipe. @param {Context} context @param {Arrange} arrange */
async function printTables({ daemons, options, write, note, stdout }, arrange) {
  const ending = new AbortController();
  let isWriting = false;
  const listener = {
    onFrame: async (/** @type {Frame} */ { apps }) => {
      // While the reader stalls (`| less`), tables are skipped instead of buffered.
      if (isWriting) return;
      isWriting = true;
      const table = renderTable(arrange(apps), stdout, Date.now(), options.problems);
      const hasReader = await write(`${table}\n\n`);
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
async function drawTables({ daemons, options, print, note, stdout, stderr }, arrange, tty) {
  /** @type {Shown} */
  let shown = { apps: [], problem: null };
  /** @type {EndSignal | null} */
  let endSignal = null;
  const ending = new AbortController();
  const terminal = () => ({ ...stdout, width: screen.size.columns });
  const draw = () => screen.draw(linesOf(shown, terminal(), screen.size.rows, options.problems));
  const screen = new FullScreen(tty, {
    onKey: (_text, key) => isQuit(key) && ending.abort(),
    onEnd: (signal) => {
      endSignal = signal;
      ending.abort();
    },
    onBlank: draw,
  });
  const showProblem = (/** @type {string} */ text) => {
    shown.problem = text;
    draw();
  };
  const silence = setTimeout(() => showProblem(SILENT), SILENT_MS);
  const listener = {
    onFrame: (/** @type {Frame} */ frame) => {
      silence.refresh();
      shown = { apps: arrange(frame.apps), problem: null };
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
  // It stays visible, as after `ls` without --watch.
  const now = Date.now();
  print(renderTable(shown.apps, terminal(), now, options.problems));
  for (const line of renderNotes(shown.apps, stderr, now)) note(line);
  return endSignal === null ? 0 : endBy(endSignal);
}

/** @param {KeyPress} key */
function isQuit({ name, ctrl }) {
  return name === 'q' || name === 'escape' || (ctrl && name === 'c');
}

/** @param {Shown} shown @param {Terminal & {width: number}} terminal @param {number} rows at most @param {boolean} [onlyProblems] */
export function linesOf({ apps, problem }, terminal, rows, onlyProblems) {
  const { red, dim } = paint(terminal);
  const now = Date.now();
  const last = problem
    ? red(truncate(problem, terminal.width))
    : dim(truncate('Press q to quit.', terminal.width));
  const below = renderNotes(apps, terminal, now).flatMap((line) =>
    wrapText(line, terminal.width).split('\n'),
  );
  // They say why, so a table that is too long gives way.
  const notes = below.slice(0, Math.max(0, rows - MIN_TABLE));
  const room = Math.max(1, rows - 2 - notes.length);
  const tableOf = (/** @type {App[]} */ some) =>
    renderTable(some, terminal, now, onlyProblems).split('\n');
  const end = [...notes, '', last];
  const table = tableOf(apps);
  if (table.length <= room) return [...table, ...end].slice(0, rows);
  const more = dim(truncate(`… ${table.length - room + 1} more rows`, terminal.width));
  return [...tableOf(worstFirst(apps, now)).slice(0, room - 1), more, ...end].slice(0, rows);
}
