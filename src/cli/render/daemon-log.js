/** Renders a line of the daemon's log: time, level, event, worker, and the rest as key=value. */
import { describeRecord } from '../../shared/log-files/daemon-line.js';
import { messageText } from './log-entry.js';
import { paint, wrapText } from '../../show/terminal/palette.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 */

/** @type {Record<string, 'yellow' | 'red'>} */
const LEVELS = { warn: 'yellow', error: 'red' };

/**
 * @param {Entry} entry
 * @param {Terminal} terminal
 * @returns {string} without a newline at the end; wrapped between words on a narrow terminal
 */
export function renderDaemonEntry({ time, message, record }, terminal) {
  const text = (/** @type {string} */ words) => messageText(words, terminal);
  if (!record) return text(message);
  const { dim, bold, reset } = paint(terminal);
  const colour = paint(terminal)[LEVELS[String(record.level)]] ?? reset;
  const level = colour(text(String(record.level)).padEnd(5));
  const [event, rest] = describeRecord(record);
  const when = time === null ? '-' : new Date(time).toISOString();
  const line = [dim(when), level, bold(text(event)), text(rest)].join(' ').trimEnd();
  return wrapText(line, terminal.width);
}
