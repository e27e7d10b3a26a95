/** Renders one line of a log: `app:slot | message`. `!` marks a line of stderr, `+` a further piece of a line. */
import { isoTime, recordOf } from '../../api/logs/log-source.js';
import { LEVEL_OF } from '../../lifecycle/log-record.js';
import { withoutColours } from '../../shared/colours.js';
import { describeRecord } from '../../shared/log-files/daemon-line.js';
import { jsonLine, escapeMessage } from '../../show/escape.js';
import { formatTime } from '../../show/quantity.js';
import { paintLevel } from '../../show/log-record.js';
import { paint, wrapText } from '../../show/terminal/palette.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 */

/** Red is not among them, because it marks stderr. */
const COLOURS = /** @type {const} */ (['cyan', 'green', 'yellow', 'magenta', 'blue', 'cyanBright']);

/** @param {Terminal} terminal @param {boolean} [hasTimes] also on a pipe */
export function logRenderer(terminal, hasTimes = false) {
  const colours = paint(terminal);
  /** In the order in which their colours are given. @type {Set<string | null>} */
  const apps = new Set();
  let labelWidth = 0;
  const labelOf = (/** @type {string | null} */ app, /** @type {number | null} */ worker) => {
    const label = worker === null ? String(app) : `${app}:${worker}`;
    labelWidth = Math.max(labelWidth, label.length);
    return label.padEnd(labelWidth);
  };
  const timeOf = (/** @type {Entry} */ { time, stamp = time === null ? '' : formatTime(time) }) => {
    const shown = hasTimes ? (isoTime(time) ?? '-') : terminal.isTerminal && stamp;
    return shown ? `${colours.dim(shown)} ` : '';
  };
  return {
    /** All names get the width of the longest. @param {readonly Pick<LoggingApp, 'name' | 'slots' | 'workers'>[]} expected */
    expect(expected) {
      for (const { name, slots, workers } of expected) {
        apps.add(name);
        labelOf(name, Math.max(0, ...(slots ?? workers)));
      }
    },
    /** @param {Entry} entry @returns {string} each line of its message, without the last newline */
    render(entry) {
      const { app, worker, stream, goesOn, level, message } = entry;
      const colour = COLOURS[[...apps.add(app)].indexOf(app) % COLOURS.length];
      const name = colours[colour](labelOf(app, worker));
      const isError = stream === 'error';
      const first = isError ? '!' : '|';
      const mark = (isError ? colours.red : colours.dim)(goesOn ? '+' : first);
      // Not the indentation, with which wrapped lines continue.
      const painted = (/** @type {string} */ line) =>
        messageText(line, terminal).replace(/\S.*$/s, (words) => paintLevel(level, colours, words));
      const text = message.split('\n').map(painted).join('\n');
      return wrapText(text, terminal.width, `${timeOf(entry)}${name} ${mark} `);
    },
  };
}

/** @param {Entry} entry @param {boolean} [hasTime] @returns the message as the program wrote it */
export function renderRaw({ time, message }, hasTime = false) {
  return hasTime ? `${isoTime(time) ?? '-'} ${message}` : message;
}

/** @param {Entry} entry @returns {string} one object, on one line */
export function renderJson(entry) {
  return jsonLine(entry.record ?? recordOf(entry));
}

/** @param {string} message @param {Terminal} terminal */
function messageText(message, terminal) {
  const text = message.endsWith('\r') ? message.slice(0, -1) : message;
  if (terminal.isTerminal) return escapeMessage(text, terminal.colours);
  return terminal.colours ? text : withoutColours(text);
}

/** Time, level, event, worker, and the rest as key=value. @param {Entry} entry @param {Terminal} terminal */
export function renderDaemonEntry({ time, message, record }, terminal) {
  const text = (/** @type {string} */ words) => messageText(words, terminal);
  if (!record) return text(message);
  const colours = paint(terminal);
  const [event, rest] = describeRecord(record);
  const level = text(String(record.level)).padEnd(5);
  const painted = paintLevel(LEVEL_OF.get(String(record.level)), colours, level);
  const when = colours.dim(isoTime(time) ?? '-');
  const line = [when, painted, colours.bold(text(event)), text(rest)].join(' ').trimEnd();
  return wrapText(line, terminal.width);
}
