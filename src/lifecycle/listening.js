/** Where workers listen, and what is said of one that does not listen where a server would. */

/** @import { ListenFault, Note } from '../protocol/shapes.js' */

/** The system chooses free ports from here upwards (Linux: ip_local_port_range): they say nothing about the next worker. */
const FIRST_CHOSEN_PORT = 32_768;

/**
 * @param {object} facts
 * @param {readonly string[]} facts.listening addresses that it listens on
 * @param {boolean} facts.mayListen whether it was expected to, or is not known yet
 * @param {number | null} facts.port the PORT that its app sets for it
 * @returns {Note | null} null: nothing is noteworthy
 */
export function noteListening({ listening, mayListen, port }) {
  if (listening.length === 0) return mayListen ? { kind: 'silent' } : null;
  const ports = portsOf(listening);
  if (ports.length === 0 || !port || ports.includes(port)) return null;
  return { kind: 'elsewhere', ports, asked: port };
}

/** Whether it is for the process's own parent only, as a browser that a program controls. @param {string} address */
export function isPrivatePlace(address) {
  const { host, port } = placeAt(address);
  return (host.startsWith('127.') || host === '::1') && port !== null && isChosen(port);
}

/**
 * In whose place processes below a worker may listen: nobody can tell whether one has chosen its port or got it.
 * @param {readonly string[]} expected @param {readonly string[]} below addresses of such processes
 */
export function replacedBy(expected, below) {
  const others = below.filter((address) => !expected.includes(address)).map(placeAt);
  return expected.filter((address) => {
    const { host, port } = placeAt(address);
    const isUnclear = port !== null && isChosen(port);
    return isUnclear && others.some((other) => other.host === host && isChosen(other.port ?? 0));
  });
}

/**
 * Where nobody listens any more, but for ports that the system may have chosen.
 * @param {readonly string[]} before where a worker listened
 * @param {readonly string[]} now where its app does
 */
export function goneFrom(before, now) {
  const gone = before.filter((address) => !now.includes(address));
  return gone.filter((address) => !isChosen(placeAt(address).port ?? 0));
}

/** @param {number} port */
function isChosen(port) {
  return port >= FIRST_CHOSEN_PORT;
}

/** @param {readonly string[]} addresses */
export function portsOf(addresses) {
  return addresses.flatMap((address) => placeAt(address).port ?? []);
}

/**
 * @param {string} address `80`, `*:80`, `127.0.0.1:80`, `[::1]:80`, `::1:80`, or the path of a unix socket
 * @returns {{host: string, port: number | null}} host: without brackets; port null: of a unix socket
 */
export function placeAt(address) {
  const [, host = '', port] = /^(?:(.*):)?(\d+)$/s.exec(address) ?? [];
  return { host: host.replace(/[[\]]/g, ''), port: port === undefined ? null : Number(port) };
}

/** @param {Pick<ListenFault, 'address' | 'port'>} place */
export function placeOf({ address, port }) {
  if (port === undefined) return address ?? 'an address';
  if (isAnyHost(address)) return `port ${port}`;
  return address?.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Whether it stands for all addresses of the machine. @param {string | null} [host] */
export function isAnyHost(host = null) {
  return host === null || /^(\*|0\.0\.0\.0|[0:]*)$/.test(host);
}
