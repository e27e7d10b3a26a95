/** Lines of JSON as pino, bunyan, winston and the loggers for Google Cloud write them. */

/** @typedef {'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'} Level */

/** @type {Record<Level, string[]>} the least first; pino and bunyan count by tens */
const NAMES = {
  trace: ['trace', 'silly', '10'],
  debug: ['debug', 'verbose', '20'],
  info: ['info', 'notice', 'http', '30'],
  warn: ['warn', 'warning', '40'],
  error: ['error', 'err', '50'],
  fatal: ['fatal', 'crit', 'critical', 'alert', 'emerg', 'emergency', 'panic', '60'],
};

export const LEVELS = /** @type {Level[]} */ (Object.keys(NAMES));

/** @type {Map<string, Level>} */
export const LEVEL_OF = new Map(
  LEVELS.flatMap((level) => NAMES[level].map((name) => [name, level])),
);

/** Characters. A longer line is one that nobody reads as text. */
const MAX_LENGTH = 16 * 1024;
/** Every line of a process has the same, and its worker is known. */
const OF_PROCESS = /^(?:v|pid|hostname)$/;
/** Of an error as a string: its frames. */
const STACK = /\n\s+at \S/;
/** The first line of a stack without a message. */
const BARE = /^\w*(?:Error|Exception)$/;

/**
 * @typedef {{time: string | number | null, level: Level | null, lines: string[], fields: [key: string, value: unknown][]}}
 *   JsonRecord time: as it was written; lines: the message, then the stack of the error; fields: what is neither
 */

/** @param {string} line @returns {JsonRecord | null} null: a line of text, or JSON that is no record */
export function readRecord(line) {
  const record = line[0] === '{' && line.length <= MAX_LENGTH ? parse(line) : null;
  if (record === null) return null;
  // That of the logger; in other records it may be of anything.
  const taken = 'pid' in record ? ['name'] : [];
  const take = makeTake(record, taken);
  const level = take(['level', 'severity', 'lvl'], levelIn);
  const message = take(['msg', 'message'], textIn) ?? '';
  const error = take(['err', 'error'], errorIn) ?? { stack: '', fields: [] };
  const stack = take(['stack', 'stack_trace'], textIn) ?? error.stack;
  if (level === null && message === '' && stack === '') return null;
  const time = take(['time', '@timestamp', 'timestamp', 'ts'], timeIn);
  const keys = Object.keys(record).filter((key) => !taken.includes(key) && !OF_PROCESS.test(key));
  const fields = [...error.fields, ...fieldsOf(record, keys)];
  return { time, level, lines: linesOf(message, stack), fields };
}

/** @param {string} line @returns {Record<string, unknown> | null} */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** @param {Record<string, unknown>} record @param {string[]} taken */
function makeTake(record, taken) {
  /** @template T @param {string[]} keys @param {(value: any) => T | null} read @returns {T | null} */
  return (keys, read) => {
    for (const key of keys) {
      const value = read(record[key]);
      if (value === null) continue;
      taken.push(key);
      return value;
    }
    return null;
  };
}

/** @param {unknown} value a name or a number */
function levelIn(value) {
  const isName = typeof value === 'string' || typeof value === 'number';
  return (isName && LEVEL_OF.get(String(value).toLowerCase())) || null;
}

/** @param {unknown} value */
const textIn = (value) => (typeof value === 'string' ? value : null);

/** @param {unknown} value */
const timeIn = (value) => (typeof value === 'number' ? value : textIn(value));

/** @param {any} value @returns {Pick<JsonRecord, 'fields'> & {stack: string} | null} fields: its code, for example */
function errorIn(value) {
  if (typeof value === 'string') return STACK.test(value) ? { stack: value, fields: [] } : null;
  if (value === null || typeof value !== 'object') return null;
  const { name, type = name, message, stack, ...others } = value;
  const [text, frames] = [textIn(message) ?? '', textIn(stack) ?? ''];
  if (text === '' && frames === '') return null;
  const title = frames.includes(text) ? [] : [`${textIn(type) ?? 'Error'}: ${text}`];
  const fields = fieldsOf(others, Object.keys(others), 'err.');
  return { stack: [...title, frames].join('\n').trimEnd(), fields };
}

/** @param {Record<string, unknown>} object @param {string[]} keys @param {string} [prefix] @returns {JsonRecord['fields']} */
function fieldsOf(object, keys, prefix = '') {
  return keys.map((key) => [prefix + key, object[key]]);
}

/**
 * An error that is logged alone repeats its message, and one without a message has that of the record.
 * @param {string} message @param {string} stack
 */
function linesOf(message, stack) {
  const lines = stack === '' ? [] : stack.split(/\r?\n/);
  if (lines[0]?.includes(message)) return lines;
  const [name, ...frames] = BARE.test(lines[0]) ? lines : [''];
  return name && !message.startsWith(name)
    ? [...`${name}: ${message}`.split(/\r?\n/), ...frames]
    : [...message.split(/\r?\n/), ...lines];
}
