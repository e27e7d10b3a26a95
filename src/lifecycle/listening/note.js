/** What is said of a worker that is online, but does not listen where a server would. */

/**
 * The system chooses a free port from here upwards (Linux: ip_local_port_range), so such a port says
 * nothing about the next worker.
 */
const FIRST_CHOSEN_PORT = 32_768;
const NOTHING_YET = 'runs, but listens on nothing yet';

/**
 * @typedef {object} ListeningFacts
 * @property {readonly string[]} listening addresses that it listens on
 * @property {boolean} isLikelyServer
 * @property {number | null} port the PORT that its app sets for it
 * @property {readonly string[]} usual addresses of its siblings, and of an earlier life
 */

/**
 * @param {ListeningFacts} facts
 * @returns {string | null} in words that follow 'it'; null: nothing is noteworthy
 */
export function noteListening({ listening, isLikelyServer, port, usual }) {
  if (listening.length === 0) return isLikelyServer ? NOTHING_YET : null;
  const ports = portsOf(listening);
  const [usualPort] = fixedPorts(usual);
  const asked = port ?? (ports.every(isChosen) ? usualPort : undefined);
  if (ports.length === 0 || !asked || ports.includes(asked)) return null;
  return `listens on port ${ports.join(', ')} instead of ${asked}`;
}

/**
 * @param {string} note as noteListening() wrote it
 * @param {number} count of the addresses that the worker listens on by now
 * @returns {boolean} whether it is no longer true
 */
export function isOutdatedNote(note, count) {
  return note === NOTHING_YET && count > 0;
}

/**
 * @param {readonly string[]} addresses
 * @returns {number[]} the ports that a program chose itself
 */
function fixedPorts(addresses) {
  return portsOf(addresses).filter((port) => !isChosen(port));
}

/** @param {number} port */
function isChosen(port) {
  return port >= FIRST_CHOSEN_PORT;
}

/** @param {readonly string[]} addresses */
function portsOf(addresses) {
  return addresses.flatMap((address) => {
    const [, port] = /:(\d+)$/.exec(address) ?? [];
    return port === undefined ? [] : [Number(port)];
  });
}
