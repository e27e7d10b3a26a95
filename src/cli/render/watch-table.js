/** `ls --watch`: prints the table about once a second, on a terminal in place of the one before. */
import { SILENT_MS, watchApps } from '../../api/feed.js';
import { worstFirst } from '../../show/rows.js';
import { wrapText } from '../../show/terminal/palette.js';
import { renderTable } from './ls.js';
import { renderNotes } from '../../show/terminal/notes.js';
import { arrangeApps } from './sort.js';
import { isDumb } from '../../show/terminal/full-screen.js';

/**
 * @import { Frame } from '../../api/feed.js'
 * @import { Context } from '../context.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { App } from '../../protocol/shapes.js'
 */

/** Lines for the heading, a few rows and the end. */
const MIN_TABLE = 8;
const ERASE_SCREEN = '\u001b[2J\u001b[1;1H';
const LOST = 'Lost the daemon; reconnecting …';
const SILENT = 'The daemon does not reply; this table may be out of date.';

/** Until the reader closes the pipe. @param {Context} context @param {string[]} [names] of the apps to show; by default all, also later ones */
export async function watchTable({ daemons, env, options, write, note, stdout, tty }, names) {
  const ending = new AbortController();
  const silence = setTimeout(() => note(SILENT), SILENT_MS);
  const textOf = (/** @type {App[]} */ apps) => {
    const now = Date.now();
    if (tty === null || isDumb(env)) return `${renderTable(apps, stdout, now, options.problems)}\n`;
    const lines = linesOf(apps, stdout, (tty.output.rows || 24) - 1, options.problems);
    return ERASE_SCREEN + lines.join('\n');
  };
  let isWriting = false;
  const listener = {
    onFrame: async (/** @type {Frame} */ { apps }) => {
      silence.refresh();
      // While the reader stalls (`| less`), tables are skipped instead of buffered.
      if (isWriting) return;
      isWriting = true;
      const shown = names ? apps.filter(({ name }) => names.includes(name)) : apps;
      const hasReader = await write(`${textOf(arrangeApps(shown, options))}\n`);
      isWriting = false;
      if (!hasReader) ending.abort();
    },
    onLost: () => note(LOST),
  };
  await watchApps(daemons, listener, ending.signal).finally(() => clearTimeout(silence));
  return 0;
}

/** @param {App[]} apps @param {Terminal} terminal @param {number} rows at most @param {boolean} [onlyProblems] */
export function linesOf(apps, terminal, rows, onlyProblems) {
  const now = Date.now();
  const below = renderNotes(apps, terminal, now).flatMap((line) =>
    wrapText(line, terminal.width).split('\n'),
  );
  // They say why, so a table that is too long gives way.
  const notes = below.slice(0, Math.max(0, rows - MIN_TABLE));
  const room = Math.max(1, rows - notes.length);
  const tableOf = (/** @type {App[]} */ some) =>
    renderTable(some, terminal, now, onlyProblems).split('\n');
  const table = tableOf(apps);
  if (table.length <= room) return [...table, ...notes].slice(0, rows);
  const more = `… ${table.length - room + 1} more rows`;
  return [...tableOf(worstFirst(apps, now)).slice(0, room - 1), more, ...notes].slice(0, rows);
}
