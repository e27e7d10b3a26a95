/** Fields that this page knows nothing about: a later version may add some. They are shown by name. Pure. */

const KNOWN = new Set(
  (
    'name namespace status state mode script user instances scheduling generation primaryPid ' +
    'primaryVersion primaryNode restarts busy logDroppedBytes note workers id slot pid isReady ' +
    'health startedAt listening retryAt reason blockedSince stack job autoscaling canary'
  ).split(' '),
);

/**
 * @param {object} value an app or a worker
 * @returns {{label: string, lines: string[]}[]}
 */
export function extraFields(value) {
  return Object.entries(value)
    .filter(([key]) => !KNOWN.has(key))
    .map(([key, field]) => ({ label: labelOf(key), lines: linesOf(key, field) }));
}

/** @param {string} key `nextRunAt` @returns {string} `next run at` */
function labelOf(key) {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** @param {string} key @param {unknown} field @returns {string[]} */
function linesOf(key, field) {
  if (typeof field === 'number' && /At$/.test(key) && field > 1e12) {
    return [new Date(field).toLocaleString()];
  }
  if (Array.isArray(field)) return field.flatMap((each) => linesOf('', each));
  if (typeof field !== 'object' || field === null) return String(field).split('\n');
  const parts = Object.entries(field).map(([name, part]) => {
    const lines = linesOf(name, part);
    return lines.length === 1 ? [`${labelOf(name)} ${lines[0]}`] : [labelOf(name), ...lines];
  });
  const isShort = parts.every((lines) => lines.length === 1 && lines[0].length < 30);
  return isShort ? [parts.flat().join(', ')] : parts.flat();
}
