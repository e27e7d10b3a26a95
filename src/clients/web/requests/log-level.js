/** The level that a line of a log says about itself, as the common loggers write it. Pure. */
import { withoutColours } from '../../../shared/colours.js';

/** @import { Level } from '../shapes.js' */

/** @type {Record<Level, string[]>} the least first; pino and bunyan count by tens */
const NAMES = {
  trace: ['trace', 'silly', '10'],
  debug: ['debug', 'verbose', '20'],
  info: ['info', 'notice', 'http', '30'],
  warn: ['warn', 'warning', '40'],
  error: ['error', 'err', '50'],
  fatal: ['fatal', 'crit', 'critical', 'alert', 'emerg', 'panic', '60'],
};

/** @type {Level[]} the least first */
export const LEVELS = /** @type {Level[]} */ (Object.keys(NAMES));

/** @type {Map<string, Level>} */
const LEVEL_OF = new Map(LEVELS.flatMap((level) => NAMES[level].map((name) => [name, level])));
/** A line that begins with `http` is more likely to begin with a URL. */
const WORD = [...LEVEL_OF.keys()].filter((name) => !/\d|http/.test(name)).join('|');
const JSON_LEVEL = /"(?:level|severity|lvl)"\s*:\s*"?(\w+)"?/i;
const LOGFMT_LEVEL = /(?:^|\s)(?:level|lvl|severity)=["']?(\w+)/i;
/** After a time or a bracket at most: `2026-01-01T00:00:00Z [WARN] …` */
const FIRST_WORD = new RegExp(`^[\\d\\s:.,TZ+/[\\]()-]*(${WORD})\\b`, 'i');
/** Characters of the line in which it is looked for. */
const HEAD = 500;

/**
 * @param {string} message
 * @returns {Level | null} null: it says none
 */
export function levelOf(message) {
  const head = withoutColours(message.slice(0, HEAD)).trimStart();
  const found = head.startsWith('{')
    ? JSON_LEVEL.exec(head)
    : (FIRST_WORD.exec(head) ?? LOGFMT_LEVEL.exec(head));
  return LEVEL_OF.get(found?.[1].toLowerCase() ?? '') ?? null;
}

/**
 * @param {{message: string, stream: 'out' | 'error' | null}} entry
 * @param {Level | null} least null: every line
 * @returns {boolean} a line that says no level counts as an error on stderr, and as less than all elsewhere
 */
export function isAtLeast({ message, stream }, least) {
  if (least === null) return true;
  const level = levelOf(message) ?? (stream === 'error' ? 'error' : null);
  return level !== null && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
