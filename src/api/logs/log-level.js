/** Which level a line of a log has, be it a record or text. Pure. */
import { LEVELS, LEVEL_OF, readRecord } from '../../lifecycle/log-record.js';
import { withoutColours } from '../../shared/colours.js';

/** @import { Level } from '../../lifecycle/log-record.js' */

/** A line that begins with `http` is more likely to begin with a URL. */
const WORD = [...LEVEL_OF.keys()].filter((name) => !/\d|http/.test(name)).join('|');
const LOGFMT_LEVEL = /(?:^|\s)(?:level|lvl|severity)=["']?(\w+)/i;
/** After a time or a bracket at most: `2026-01-01T00:00:00Z [WARN] …` */
const FIRST_WORD = new RegExp(`^[\\d\\s:.,TZ+/[\\]()-]*(${WORD})\\b`, 'i');
/** Characters of the line in which it is looked for. */
const HEAD = 500;

/**
 * The level that a line says about itself, as the common loggers write it.
 * @param {string} message
 * @returns {Level | null} null: it says none
 */
export function levelOf(message) {
  const record = readRecord(message);
  if (record !== null) return record.level;
  const head = withoutColours(message.slice(0, HEAD)).trimStart();
  const found = FIRST_WORD.exec(head) ?? LOGFMT_LEVEL.exec(head);
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
