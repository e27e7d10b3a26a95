/** A line of the daemon's own log, read. */

/**
 * @typedef {object} DaemonLine
 * @property {number | null} time epoch ms; null where the line does not say
 * @property {null} app
 * @property {null} worker
 * @property {null} stream
 * @property {string} message
 * @property {false} goesOn
 * @property {Record<string, unknown>} [record] the line as it was written
 */

/**
 * @param {string} line of daemon.log: an object, or what the process itself said
 * @returns {DaemonLine} its message is what is looked through
 */
export function readDaemonLine(line) {
  /** @type {Pick<DaemonLine, 'app' | 'worker' | 'stream' | 'goesOn'>} */
  const nobody = { app: null, worker: null, stream: null, goesOn: false };
  const record = objectIn(line);
  if (record === null) return { ...nobody, time: null, message: line };
  const time = Date.parse(String(record.time));
  const message = wordsOf(record).join(' ');
  return { ...nobody, time: Number.isNaN(time) ? null : time, message, record };
}

/** @param {string} line */
function objectIn(line) {
  try {
    const value = JSON.parse(line);
    return typeof value?.event === 'string' ? value : null;
  } catch {
    return null;
  }
}

/**
 * @param {Record<string, unknown>} record
 * @returns {[string, string]} what happened, and the rest
 */
export function wordsOf({
  time: _time,
  level: _level,
  daemon: _daemon,
  event,
  app,
  slot,
  ...rest
}) {
  const worker = slot === undefined || slot === null ? app : `${app}:${slot}`;
  // Of what says nothing there is null, '' and the empty list.
  const pairs = Object.entries(rest).filter(([, value]) => String(value ?? '') !== '');
  const facts = pairs.map(([key, value]) => `${key}=${valueText(value)}`);
  return [String(event), [...(worker ? [worker] : []), ...facts].join(' ')];
}

/** @param {unknown} value */
function valueText(value) {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
