/**
 * Writes and reads lines of log files.
 *
 *     2026-03-01T12:00:00.000Z api:0 | what the program wrote
 *     2026-03-01T12:00:00.000Z api:0 |+ the rest of a line that was too long, or took more than 1 s
 *     2026-03-01T12:00:00.000Z api | [nodecluster] a message of nodecluster
 */
import { attempt } from '../../errors/error.js';
import { nullable, numberOf, object, oneOf, stringOf } from '../checks.js';
import { ISO_8601, makeDateFormat } from './date-format.js';

/**
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { DateFormat } from './date-format.js'
 */

/** Marks a line that nodecluster wrote; a raw log has no other mark. */
const OWN = '[nodecluster] ';
const NAME = '[A-Za-z0-9_@][A-Za-z0-9._@-]{0,63}';

/**
 * @typedef {LoggingApp['style']} LineStyle time: whether text lines begin with it; dateFormat null: ISO 8601, UTC, with milliseconds
 *
 * @typedef {object} LogLine
 * @property {number | null} time epoch, in milliseconds; null: unknown
 * @property {string} [stamp] that time, in the format of the app
 * @property {string | null} app
 * @property {number | null} worker its slot; null: unknown, or a line of nodecluster
 * @property {'out' | 'error' | null} stream known only for JSON lines
 * @property {string} message
 * @property {boolean} goesOn it continues the previous line of the same worker and stream
 *
 * @typedef {object} LineFormat
 * @property {(lines: Buffer, source: {app: string, worker: number, stream: 'out' | 'error'}, atMs: number,
 *   goesOn?: boolean) => Buffer} write whole lines, with a final newline; `goesOn`: the first one continues a line
 * @property {(app: string, message: string, atMs: number) => Buffer} writeOwn a line of nodecluster
 * @property {(line: string) => LogLine} read one line without its newline; of a line in another
 *   format, all is the message
 */

/** @param {LineStyle} style @returns {LineFormat} */
export function makeLineFormat(style) {
  if (style.type === 'raw') return RAW;
  const dates = style.dateFormat === null ? ISO_8601 : makeDateFormat(style.dateFormat);
  const formats = [textFormat(dates, style.time), jsonFormat(dates)];
  const [own, other] = style.type === 'json' ? formats.reverse() : formats;
  return Object.freeze({
    ...own,
    read(/** @type {string} */ line) {
      const found = own.read(line);
      // After a change of `log_type`, a file has lines of both types.
      return found.app === null ? other.read(line) : found;
    },
  });
}

/** @type {LineFormat} */
const RAW = Object.freeze({
  write: (lines) => lines,
  writeOwn: (_app, message) => Buffer.from(`${OWN}${message}\n`),
  read: unknownLine,
});

/** @param {DateFormat} dates @param {boolean} hasTime @returns {LineFormat} */
function textFormat(dates, hasTime) {
  // Reads lines with and without time: the setting `time` may have changed.
  const timeText = (/** @type {number} */ ms) => (hasTime ? `${dates.write(ms)} ` : '');
  const format = new RegExp(
    `^(?:(${dates.pattern}) )?(${NAME})(?::(\\d+) \\|(\\+?)| \\|(?= \\[nodecluster\\] )) (.*)$`,
    's',
  );
  return Object.freeze({
    write(lines, { app, worker }, atMs, goesOn = false) {
      const head = Buffer.from(`${timeText(atMs)}${app}:${worker} |`).toString('latin1');
      // One string operation on bytes is faster than a copy of each line.
      const text = lines.toString('latin1', 0, lines.length - 1);
      const rest = text.replaceAll('\n', `\n${head.replaceAll('$', '$$$$')} `);
      return Buffer.from(`${head}${goesOn ? '+' : ''} ${rest}\n`, 'latin1');
    },
    writeOwn: (app, message, atMs) => Buffer.from(`${timeText(atMs)}${app} | ${OWN}${message}\n`),
    read(line) {
      const match = format.exec(line);
      if (!match) return unknownLine(line);
      const [, time, app, worker, mark, message] = match;
      return {
        ...timesOf(dates, time),
        app,
        worker: worker === undefined ? null : Number(worker),
        stream: null,
        message,
        goesOn: mark === '+',
      };
    },
  });
}

/** @param {DateFormat} dates @param {string} [stamp] */
function timesOf(dates, stamp) {
  const time = stamp === undefined ? null : dates.read(stamp);
  return dates === ISO_8601 ? { time } : { time, stamp };
}

/** @param {DateFormat} dates @returns {LineFormat} */
function jsonFormat(dates) {
  const timeText = (/** @type {number} */ ms) => JSON.stringify(dates.write(ms));
  return Object.freeze({
    write(lines, { app, worker, stream }, atMs, goesOn = false) {
      const head = `{"time":${timeText(atMs)},"app":"${app}","worker":${worker},"stream":"${stream}",`;
      const messages = lines.toString('utf8', 0, lines.length - 1).split('\n');
      const objects = messages.map((message) => `${head}"message":${JSON.stringify(message)}}\n`);
      if (goesOn) objects[0] = `${head}"goesOn":true,${objects[0].slice(head.length)}`;
      return Buffer.from(objects.join(''));
    },
    writeOwn: (app, message, atMs) =>
      Buffer.from(
        `{"time":${timeText(atMs)},"app":"${app}","worker":null,"stream":null,` +
          `"message":${JSON.stringify(OWN + message)}}\n`,
      ),
    read(line) {
      const value = attempt(() => JSON.parse(line), null);
      if (faultOf(value) !== null) return unknownLine(line);
      const { time, app, worker, stream, message, goesOn } = value;
      return { ...timesOf(dates, time), app, worker, stream, message, goesOn: goesOn === true };
    },
  });
}

/** The file may contain lines that nodecluster did not write. */
const faultOf = object({
  app: stringOf({ pattern: new RegExp(`^${NAME}$`) }),
  worker: nullable(numberOf({ integer: true })),
  stream: nullable(oneOf('out', 'error')),
  message: stringOf({ maxLength: Infinity }),
});

/** @param {string} message @returns {LogLine} */
function unknownLine(message) {
  return { time: null, app: null, worker: null, stream: null, message, goesOn: false };
}
