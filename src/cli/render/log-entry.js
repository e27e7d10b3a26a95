/**
 * Renders one line of a log: `app:slot | message`. `!` instead of `|` marks a line of stderr, `+`
 * a further piece of a line.
 */
import { isoTime, recordOf } from '../../api/logs/log-source.js';
import { withoutColours } from '../../shared/colours.js';
import { describeRecord } from '../../shared/log-files/daemon-line.js';
import { jsonLine, escapeLine, escapeMessage } from '../../show/escape.js';
import { formatTime } from '../../show/quantity.js';
import { paintLevel } from '../../show/log-record.js';
import { paint, wrapText } from '../../show/terminal/palette.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 */

/** @typedef {{timestamp: boolean}} LogLook */

/** Red is not among them, because it marks stderr. */
const COLOURS = /** @type {const} */ (['cyan', 'green', 'yellow', 'magenta', 'blue', 'cyanBright']);
/** Columns for a name on the narrowest terminal. */
const MIN_LABEL_WIDTH = 8;
const NO_TIME = '-';

export class LogRenderer {
  #terminal;
  #look;
  /** @type {Map<string, typeof COLOURS[number]>} by app */
  #colours = new Map();
  #labelWidth = 0;

  /** @param {Terminal} terminal @param {LogLook} look */
  constructor(terminal, look) {
    this.#terminal = terminal;
    this.#look = look;
  }

  /**
   * @param {readonly {name: string, slots: number[]}[]} apps the apps whose lines will be
   *   rendered; all names get the width of the longest
   */
  expect(apps) {
    for (const { name, slots } of apps) {
      this.#colourOf(name);
      this.#fit(labelOf(name, Math.max(0, ...slots)));
    }
  }

  /** @param {Entry} entry @returns {string} each line of its message, without the last newline */
  render(entry) {
    const { dim, red } = paint(this.#terminal);
    const { app, worker, stream, goesOn } = entry;
    if (entry.isMark) return this.#renderMark(entry);
    const label = this.#fit(labelOf(app ?? '', worker));
    const name = paint(this.#terminal)[this.#colourOf(app ?? '')](label.padEnd(this.#labelWidth));
    const mark = stream === 'error' ? red(goesOn ? '+' : '!') : dim(goesOn ? '+' : '|');
    const lines = entry.message.split('\n').map((line) => this.#message(line, entry));
    return wrapText(lines.join('\n'), this.#terminal.width, `${this.#time(entry)}${name} ${mark} `);
  }

  /** @param {Entry} entry */
  #renderMark(entry) {
    const { app, worker, message, level } = entry;
    const text = escapeLine(`— ${labelOf(app ?? '', worker)} ${message} —`);
    const painted = paintLevel(level, paint(this.#terminal), text, 'dim');
    return wrapText(painted, this.#terminal.width, this.#time(entry));
  }

  /** @param {string} line @param {Entry} entry */
  #message(line, { level }) {
    const colours = paint(this.#terminal);
    const written = messageText(line, this.#terminal);
    // Not the indentation, with which wrapped lines continue.
    return written.replace(/\S.*$/s, (words) => paintLevel(level, colours, words));
  }

  /** @param {Entry} entry */
  #time({ time }) {
    const { timestamp } = this.#look;
    if (!timestamp && (time === null || !this.#terminal.isTerminal)) return '';
    const text = timestamp ? (isoTime(time) ?? NO_TIME) : formatTime(Number(time));
    return `${paint(this.#terminal).dim(text)} `;
  }

  /** @param {string} app */
  #colourOf(app) {
    const colour = this.#colours.get(app) ?? COLOURS[this.#colours.size % COLOURS.length];
    this.#colours.set(app, colour);
    return colour;
  }

  /** Names take at most a third of the terminal's width. @param {string} label */
  #fit(label) {
    const { width } = this.#terminal;
    const maxWidth = width === null ? Infinity : Math.max(MIN_LABEL_WIDTH, Math.floor(width / 3));
    const fitted = label.length <= maxWidth ? label : shorten(label, maxWidth);
    this.#labelWidth = Math.max(this.#labelWidth, fitted.length);
    return fitted;
  }
}

/**
 * @param {readonly Entry[]} entries
 * @returns {Entry[]} where a worker wrote the same line several times in a row, the first and how many followed
 */
export function foldRepeats(entries) {
  /** @type {Entry[]} */
  const folded = [];
  let count = 0;
  for (const [at, entry] of entries.entries()) {
    count = isSame(entry, entries[at - 1]) ? count + 1 : 0;
    if (count > 1) folded.pop();
    folded.push(count > 1 ? { ...entry, message: `… the same line ${count} more times` } : entry);
  }
  return folded;
}

/** @param {Entry} entry @param {Entry} [before] */
function isSame({ record, ...line }, before) {
  const fields = /** @type {const} */ (['message', 'app', 'worker', 'stream', 'goesOn']);
  return !record && before !== undefined && fields.every((key) => line[key] === before[key]);
}

/** @param {Entry} entry @param {LogLook} look @returns the message as the program wrote it */
export function renderRaw({ time, message }, { timestamp }) {
  return timestamp ? `${isoTime(time) ?? NO_TIME} ${message}` : message;
}

/** @param {Entry} entry @returns {string} one object, on one line */
export function renderJson(entry) {
  return jsonLine(entry.record ?? recordOf(entry));
}

/**
 * @param {string} message
 * @param {Terminal} terminal
 * @returns {string} for a terminal, colours are reset at the end and control characters masked
 */
function messageText(message, terminal) {
  const text = message.endsWith('\r') ? message.slice(0, -1) : message;
  if (terminal.isTerminal) return escapeMessage(text, terminal.colours);
  return terminal.colours ? text : withoutColours(text);
}

/** @param {string} app @param {number | null} worker */
function labelOf(app, worker) {
  return worker === null ? app : `${app}:${worker}`;
}

/** @param {string} label @param {number} width @returns {string} still with its slot */
function shorten(label, width) {
  const end = /:\d+$/.exec(label)?.[0] ?? '';
  return `${label.slice(0, Math.max(1, width - end.length - 1))}…${end}`;
}

/** @type {Record<string, 'yellow' | 'red'>} */
const LEVELS = { warn: 'yellow', error: 'red' };

/**
 * @param {Entry} entry
 * @param {Terminal} terminal
 * @returns {string} of the daemon's log: time, level, event, worker, and the rest as key=value; wrapped between
 *   words on a narrow terminal
 */
export function renderDaemonEntry({ time, message, record }, terminal) {
  const text = (/** @type {string} */ words) => messageText(words, terminal);
  if (!record) return text(message);
  const { dim, bold, reset } = paint(terminal);
  const colour = paint(terminal)[LEVELS[String(record.level)]] ?? reset;
  const level = colour(text(String(record.level)).padEnd(5));
  const [event, rest] = describeRecord(record);
  const when = dim(isoTime(time) ?? NO_TIME);
  const line = [when, level, bold(text(event)), text(rest)].join(' ').trimEnd();
  return wrapText(line, terminal.width);
}
