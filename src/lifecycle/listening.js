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
 * @property {boolean} mayListen whether it was expected to, or is not known yet
 * @property {number | null} port the PORT that its app sets for it
 * @property {readonly string[]} usual addresses of its siblings, and of an earlier life
 */

/**
 * @param {ListeningFacts} facts
 * @returns {string | null} in words that follow 'it'; null: nothing is noteworthy
 */
export function noteListening({ listening, mayListen, port, usual }) {
  if (listening.length === 0) return mayListen ? NOTHING_YET : null;
  const ports = portsOf(listening);
  // One that a program chose itself.
  const usualPort = portsOf(usual).find((each) => !isChosen(each));
  const asked = port ?? (ports.every(isChosen) ? usualPort : undefined);
  if (ports.length === 0 || !asked || ports.includes(asked)) return null;
  return `listens on port ${ports.join(', ')} instead of ${asked}`;
}

/**
 * @param {{note: string}} noted as noteListening() wrote it
 * @returns {boolean} whether the worker listened on nothing
 */
export function notesSilence({ note }) {
  return note === NOTHING_YET;
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

/**
 * Whether a listening socket without workers stays open. It does while a slot whose worker listened
 * there is about to serve it again; otherwise its clients would wait for nothing.
 *
 * @param {readonly Prospect[]} slots those whose workers have listened there
 * @param {number} settleMs after this time online, a worker has opened all its sockets
 */
export function keepsSocket(slots, settleMs) {
  return slots.some(
    ({ isComing, servingMs }) => isComing && (servingMs === null || servingMs < settleMs),
  );
}

/**
 * @typedef {object} Prospect one slot
 * @property {boolean} isComing it has a worker, or will have one again
 * @property {number | null} servingMs how long its worker has been online; null: it does not serve
 *   yet, though one that takes long to listen may be online
 */
