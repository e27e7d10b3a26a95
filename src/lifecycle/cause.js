/** What a program wrote about its end, in one line. */
import { readRecord } from './log-record.js';

/** `TypeError [ERR_X]: message`, `Uncaught Error: message`. */
const ERROR = /^(?:Uncaught )?([\w.]*(?:Error|Exception)|FATAL ERROR)(?: \[[\w-]+\])?: (.+)/;
/** As `console.error('order not placed:', error)` writes it, above its stack. */
const LOGGED = /\s([\w.]*(?:Error|Exception))(?: \[[\w-]+\])?: (.+)/;
/** npm explains its own exit in many lines, and the last one names its log. */
const NPM = /^npm (?:error|ERR!) (?!code |errno |syscall |path |A complete log )(\S.*)/;
/** How loggers and programs mark what ends them. */
const FATAL = /^(?:\S+ ){0,3}\[?(?:FATAL|PANIC)\b|^(?:fatal|panic)\b/;
/** Where an uncaught exception was thrown, above the excerpt of the source. */
const THROWN_AT = /^(?:file:\/\/)?(\/.+):(\d+)$/;
const OF_STACK = /^\s+at \S/;
const FRAME = /^\s+at (?:.* \()?(?:file:\/\/)?(\/[^()]+):(\d+):\d+\)?(?: \{)?$/;
/** Written after every uncaught exception. */
const NODE_VERSION = /^Node\.js v\d/;
const MAX_LENGTH = 200;
/** Lines of the source, with its position, above an error. */
const EXCERPT = 4;
/** Characters of a line of text that are looked at: a pattern may need the square of them. */
const MAX_LINE = 500;

/** @param {readonly string[]} lines @param {number} at @returns {boolean} whether an error begins in that line */
export function startsError(lines, at) {
  return matchError(lines, at) !== null;
}

/** @param {readonly string[]} lines @param {number} at */
function matchError(lines, at) {
  const line = lines[at].slice(0, MAX_LINE);
  return ERROR.exec(line) ?? (startsStack(lines, at) ? LOGGED.exec(line) : null);
}

/**
 * @param {readonly string[]} lines the last ones of stderr or, if there are none, of stdout
 * @returns {string | null} `Cannot find module 'express2'`, `TypeError: x is not a function (hooks.js:1)`, `ENOSPC: no space
 *   left on device, write (log.js:7)`; null: nothing was written
 */
export function causeOf(lines) {
  const all = lines.flatMap((line) => readRecord(line)?.lines ?? [line]);
  const said = all
    .filter((line) => line !== '' && !NODE_VERSION.test(line))
    .map((line) => line.slice(0, MAX_LINE));
  const errors = said.flatMap((_, at) => {
    const match = matchError(said, at);
    return match ? [{ match, at }] : [];
  });
  // Those before it were only logged.
  const last = errors.at(-1);
  const cause = last ? describeError(last.match, said, last.at) : (plainCause(said) ?? null);
  return cause && cause.slice(0, MAX_LENGTH);
}

/** Of what no error explains. @param {string[]} lines */
function plainCause(lines) {
  const ofNpm = lines.map((line) => NPM.exec(line)?.[1]).find((text) => text !== undefined);
  const fatal = lines.filter((line) => FATAL.test(line)).at(-1);
  const head = lines.filter((_, at) => startsStack(lines, at)).at(-1);
  return ofNpm ?? (fatal ?? head ?? lines.at(-1))?.trim();
}

/** @param {readonly string[]} lines @param {number} at */
function startsStack(lines, at) {
  return OF_STACK.test(lines[at + 1] ?? '') && !OF_STACK.test(lines[at]);
}

/** @param {RegExpExecArray} error @param {string[]} lines @param {number} at where it is in these */
function describeError([, name, message], lines, at) {
  const isNamed = !['Error', 'FATAL ERROR'].includes(name);
  // Its properties follow.
  const own = message.replace(/ \{$/, '');
  const text = isNamed ? `${name}: ${own}` : own;
  const place = placeIn(lines.slice(at)) ?? placeIn(lines.slice(Math.max(0, at - EXCERPT), at));
  // Such a message names a file itself, and the stack shows only who asked for it.
  return place === null || /^Cannot find /.test(own) ? text : `${text} (${place})`;
}

/** @param {string[]} lines @returns {string | null} `hooks.js:1`, of the program's own code if that is known */
function placeIn(lines) {
  const places = lines.flatMap((line) => {
    const [, file, number] = THROWN_AT.exec(line) ?? FRAME.exec(line) ?? [];
    return file === undefined ? [] : [{ file, number }];
  });
  const own = places.find(({ file }) => !file.includes('/node_modules/')) ?? places[0];
  return own ? `${own.file.slice(own.file.lastIndexOf('/') + 1)}:${own.number}` : null;
}
