/** What a program wrote about its end, in one line. */
import { readRecord } from './log-record.js';

/** `TypeError [ERR_X]: message`, `Uncaught Error: message`, and with what was said before: `cannot save [Error: …] {`. */
const ERRORS = [
  /^(?:Uncaught |[\s|]+(?:\[cause\]: )?)?([\w.]*(?:Error|Exception|ExceptionGroup)|FATAL ERROR)(?: \[[\w-]+\])?:(?: (.*))?$/,
  /(?:^|\s)\[([\w.]*(?:Error|Exception))(?: \[[\w-]+\])?: (.+)\](?: \{)?$/,
];
/** As `console.error('order not placed:', error)` writes it, and errors of PostgreSQL, above their stack. */
const LOGGED = /(?:^|\s)([\w.]*(?:[Ee]rror|Exception))(?: \[[\w-]+\])?: (.+)/;
/** An error without a message, above its stack. */
const NAMED = /(?:^|\s)([\w.]*(?:Error|Exception))$/;
/** How Go, PHP, Ruby and Elixir begin; their stacks are not like that of Node. */
const FOREIGN =
  /^(?:panic|fatal error): \S.*|^PHP Fatal error: .*|^\S+:\d+:in .+ \([A-Z][\w:]*\)$|^\*\* \(\w.*/;
const REJECTED = /^\[?UnhandledPromiseRejection.* rejected with the reason "(.*?)"?\.?\]?(?: \{)?$/;
/** How loggers and programs mark what ends them. */
const FATAL = /^(?:\S+ ){0,3}\[?(?:FATAL|PANIC)\b|^(?:fatal|panic)\b/;
/** As winston and others write the level in a line of text: what follows is a farewell. */
const MARKED = /^(?:\S+ ){0,3}(?:\[(?:error|ERROR)\]|error:|ERROR\b)/;
/** Node and V8 write it when they end the process. */
const NATIVE_STACK = /^(?:-+ Native stack trace -+$|\s*\d+: 0x[\da-f]+ )/;
const OUT_OF_MEMORY = /^FATAL ERROR: /;
/** Where an uncaught exception was thrown, above the excerpt of the source. */
const THROWN_AT = /^(?:file:\/\/)?(\/.+):(\d+)$/;
const CARETS = /^\s*\^+\s*$/;
const OF_STACK = /^\s+at \S/;
const FRAME = /^\s+at (?:.* \()?(?:file:\/\/)?(\/[^()]+):(\d+):\d+\)?(?: \{|,)?$/;
/** What follows the first line of an error: its stack, its properties, the error that caused it. */
const OF_ERROR = /^(?:\s|[\]}…]|Caused by:)/;
const CAUSE = /^\s+\[cause\]: /;
/** Where the errors in an AggregateError, or in a group of Python, begin. */
const INNER = /^\s+(?:\[errors\]: \[|\+-\+-+ 1 -+)$/;
/** What Node writes after every uncaught exception, and the stack in an object that is shown in several lines. */
const SAYS_NOTHING = /^$|^Node\.js v\d|^\(Use `node --|^\s*['"`]\s+at \S/;
const CLOSES = /^[\s\]}),;]*$/;
/** What a server says when all is well. */
const WELL =
  /^(?!.*\b(?:not?|fail\w*|errors?|cannot|unable)\b).*\b(?:listen(?:ing|s)|start(?:ing|ed)|ready|running)\b/i;
/** Of an object that a logger has written in several lines. */
const MESSAGE_OF_OBJECT = /^\s+['"]?(?:message|msg)['"]?: ['"](.+)['"],?$/;
const MAX_LENGTH = 200;
/** Lines of the source, with its position, above an error. */
const EXCERPT = 4;
const MAX_LINES = 40;
/** Characters of a line of text that are looked at: a pattern may need the square of them. */
const MAX_LINE = 500;

/** Where the last error begins, or what was thrown instead of one; -1: nowhere. @param {readonly string[]} lines */
export function lastErrorAt(lines) {
  let found = -1;
  let isPart = false;
  lines.forEach((line, at) => {
    isPart &&= isOfError(line);
    if (isPart || (errorAt(lines, at) === null && !isThrown(lines, at))) return;
    found = at;
    isPart = true;
  });
  return found;
}

/**
 * The last lines, and of a longer error at their end the first ones too, which say what it is.
 * @param {readonly string[]} lines
 * @param {number} most
 * @param {number} head lines of the error that are shown first
 * @param {(left: number) => string} markOf what stands for the lines that are left out
 */
export function lastLines(lines, most, head, markOf) {
  const error = lastErrorAt(lines);
  const left = lines.length - error - most + 1;
  if (error === -1 || left < 2) return lines.slice(-most);
  return [...lines.slice(error, error + head), markOf(left), ...lines.slice(head + 1 - most)];
}

/** Whether an excerpt of the source ends above it. @param {readonly string[]} lines @param {number} at */
function isThrown(lines, at) {
  const excerpt = lines.slice(Math.max(0, at - EXCERPT), at);
  return CARETS.test(excerpt.at(-1) ?? '') && excerpt.some((line) => THROWN_AT.test(line));
}

const isOfError = (/** @type {string} */ line) => OF_ERROR.test(line);
const trim = (/** @type {string} */ line) => line.trim();

/** @param {readonly string[]} lines @param {number} at @returns {{name: string, message: string} | null} */
function errorAt(lines, at) {
  const line = lines[at].slice(0, MAX_LINE);
  const rejected = REJECTED.exec(line);
  if (rejected) return { name: 'unhandled rejection', message: rejected[1] };
  if (FOREIGN.test(line)) return { name: 'Error', message: line };
  const patterns = startsStack(lines, at) ? [...ERRORS, LOGGED, NAMED] : ERRORS;
  for (const pattern of patterns) {
    const [, name, message = ''] = pattern.exec(line) ?? [];
    // Its properties follow.
    if (name !== undefined) return { name, message: message.replace(/ ?\{$/, '') };
  }
  return null;
}

/**
 * `Cannot find module 'express2'`, `TypeError: x is not a function (hooks.js:1)`; null: nothing was written.
 * @param {readonly string[]} lines the last ones of stderr or, if there are none, of stdout
 */
export function causeOf(lines) {
  const records = lines.map(readRecord);
  const lastError = records.findLastIndex((record) => /error|fatal/.test(record?.level ?? ''));
  // What a logger writes after its last error is a farewell.
  const all = lines.flatMap((line, at) => {
    const record = records[at];
    return record && lastError !== -1 && at > lastError ? [] : (record?.lines ?? [line]);
  });
  const said = all
    .filter((line) => !SAYS_NOTHING.test(line))
    .map((line) => line.slice(0, MAX_LINE));
  const native = said.findIndex((line) => NATIVE_STACK.test(line));
  if (native === -1) return causeIn(said)?.slice(0, MAX_LENGTH) ?? null;
  // What was logged before the process ended itself (SIGABRT) says nothing about that.
  const fatal = said.slice(0, native).filter((line) => OUT_OF_MEMORY.test(line));
  return causeIn(fatal)?.slice(0, MAX_LENGTH) ?? 'aborted';
}

/** @param {string[]} lines */
function causeIn(lines) {
  // Errors before the last one were only logged.
  const at = lastErrorAt(lines);
  if (at === -1) return plainCause(lines) ?? null;
  const error = errorAt(lines, at);
  return error ? describeError(error, lines, at) : lines.slice(at).map(trim).join(' ');
}

/** Of what no error explains. @param {string[]} lines */
function plainCause(lines) {
  const fatal = [FATAL, MARKED].map((mark) => lines.findLast((line) => mark.test(line)));
  const head = lines.findLast((_, at) => startsStack(lines, at));
  const last = lines.findLast((line) => ![CLOSES, OF_STACK, WELL].some((own) => own.test(line)));
  const object = last && /^\s/.test(last) ? lines.map((line) => MESSAGE_OF_OBJECT.exec(line)) : [];
  const message = object.findLast(Boolean)?.[1];
  return fatal.find(Boolean)?.trim() ?? head?.trim() ?? message ?? last?.trim();
}

/** @param {readonly string[]} lines @param {number} at */
function startsStack(lines, at) {
  return OF_STACK.test(lines[at + 1] ?? '') && !OF_STACK.test(lines[at]);
}

/** @param {NonNullable<ReturnType<typeof errorAt>>} error @param {string[]} lines @param {number} at where it is in these */
function describeError({ name, message }, lines, at) {
  const whole = wholeMessage(message, lines, at);
  const inner = innerOf(lines, at).filter((text) => !whole.includes(text));
  const own = [whole, ...inner].filter(Boolean).join(': ');
  const text = named(name, own);
  const place = placeIn(lines.slice(at)) ?? placeIn(lines.slice(Math.max(0, at - EXCERPT), at));
  // Such a message names a file itself, and the stack shows only who asked for it.
  return place === null || /^Cannot find /.test(own)
    ? text
    : `${text.slice(0, MAX_LENGTH)} (${place})`;
}

/** @param {string} name @param {string} message */
function named(name, message) {
  if (message === '') return name;
  return ['Error', 'FATAL ERROR'].includes(name) ? message : `${name}: ${message}`;
}

/** Its causes, and the first error in an AggregateError. @param {string[]} lines @param {number} at */
function innerOf(lines, at) {
  const end = lines.findIndex((line, index) => index > at && !isOfError(line));
  const own = lines.slice(at, end === -1 ? undefined : end);
  let isInner = false;
  return own.flatMap((line, index) => {
    const error = isInner || CAUSE.test(line) ? errorAt(own, index) : null;
    isInner = INNER.test(line) || (isInner && error === null);
    if (error === null) return [];
    // Without a message, its code says what happened: `AggregateError [ECONNREFUSED]: `.
    return error.message === ''
      ? line.replace(CAUSE, '').replace(/:[ {]*$/, '')
      : named(error.name, error.message);
  });
}

/** With its lines above the stack. @param {string} first @param {string[]} lines @param {number} at */
function wholeMessage(first, lines, at) {
  if (!/(?:^|[:[(,])$/.test(first)) return first;
  const rest = lines.slice(at + 1, at + MAX_LINES);
  const end = rest.findIndex((line) => OF_STACK.test(line));
  return [first, ...rest.slice(0, Math.max(0, end)).map(trim)].join(' ').trim();
}

/** `hooks.js:1`, of the program's own code if that is known. @param {string[]} lines */
function placeIn(lines) {
  const places = lines.flatMap((line) => {
    const [, file, number] = THROWN_AT.exec(line) ?? FRAME.exec(line) ?? [];
    return file === undefined ? [] : [{ file, number }];
  });
  const own = places.find(({ file }) => !file.includes('/node_modules/')) ?? places[0];
  return own ? `${own.file.slice(own.file.lastIndexOf('/') + 1)}:${own.number}` : null;
}
