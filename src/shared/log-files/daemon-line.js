/** A line of daemon.log: an object as JSON, or what the process itself said. */

/**
 * @param {string} line of daemon.log: an object, or what the process itself said
 * @returns {{app: null, worker: null, stream: null, goesOn: false, time: number | null,
 *   message: string, record?: Record<string, unknown>}} as what is read from the log of an app
 */
export function readDaemonLine(line) {
  const nobody = /** @type {const} */ ({ app: null, worker: null, stream: null, goesOn: false });
  const record = objectIn(line);
  if (record === null) return { ...nobody, time: null, message: line };
  const time = Date.parse(String(record.time));
  const message = wordsOfRecord(record).join(' ');
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

/** @param {Record<string, unknown>} record @returns {[string, string]} what happened, and the rest */
export function wordsOfRecord({
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
