/** Says why a program could not listen, and who has its port. */

/** @import { ListenFault } from '../protocol/shapes.js' */

/** @type {Record<string, string>} */
const CAUSES = {
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'no network interface has that address',
};

/**
 * @param {ListenFault} fault `address`: null for any, or the path of a unix socket without a port
 * @param {string} [holder] who has the port, if that is why
 * @returns {string} `could not listen on port 3000: api listened there`
 */
export function describeListenFault(fault, holder = 'another process') {
  const failure = `could not listen on ${placeOf(fault)}`;
  if (fault.code === 'EADDRINUSE') return `${failure}: ${holder} listened there`;
  if (isPrivileged(fault)) return `${failure}: only root may (EACCES)`;
  const cause = Object.hasOwn(CAUSES, fault.code) ? CAUSES[fault.code] : null;
  return cause ? `${failure}: ${cause} (${fault.code})` : `${failure} (${fault.code})`;
}

/** How programs say it: Node, Python, Go, Ruby, Java. */
const IN_USE = /EADDRINUSE|address (is )?already in use|port \d+ (was|is) already in use/i;
/** By an outgoing connection, whose own port is taken: Node, Go, Ruby. Node's cluster mode listens on `null:3000`. */
const OUTGOING = /\bbind EADDRINUSE (?!null:)|\bconnect\b|\bdial\b/;
/** `:::3000`, `0.0.0.0:3000`, `('127.0.0.1', 8000)`, `port 3000` */
const PLACES = [/(\S*):(\d+)\b/, /\('([^']*)', (\d+)\)/, /()\bport (\d+)\b/i];

/**
 * @param {readonly string[]} lines the last ones that a failed program wrote to stderr
 * @param {number | null} ownPort the PORT in its environment
 * @returns {ListenFault | null} null: they do not say that a port to listen on was in use, or not which
 */
export function faultInOutput(lines, ownPort) {
  const line = lines.find((each) => IN_USE.test(each));
  if (line === undefined || OUTGOING.test(line)) return null;
  for (const place of PLACES) {
    const [, host = '', digits] = place.exec(line.replace(/^.*?EADDRINUSE:? (null)?/, '')) ?? [];
    const port = Number(digits);
    if (digits === undefined || port === 0 || port > 65_535) continue;
    return { code: 'EADDRINUSE', address: isAnyHost(host) ? null : host, port };
  }
  return ownPort === null ? null : { code: 'EADDRINUSE', address: null, port: ownPort };
}

/**
 * @param {ListenFault} fault
 * @returns {string | null} what to do about it, if that is always the same
 */
export function adviseOnListenFault(fault) {
  if (!isPrivileged(fault)) return null;
  const { address, port } = fault;
  const listed = isAnyHost(address) ? port : placeOf(fault);
  return (
    `Run it by root with \`uid\` and \`privileged_ports: ${listed}\`, lower the sysctl ` +
    'net.ipv4.ip_unprivileged_port_start, or use a port above 1023 behind a proxy such as nginx.'
  );
}

/** @param {ListenFault} fault */
function isPrivileged({ code, port }) {
  return code === 'EACCES' && port !== null && port < 1024;
}

/** @param {ListenFault} fault */
function placeOf({ address, port }) {
  if (port === null) return address ?? 'an address';
  if (isAnyHost(address)) return `port ${port}`;
  return address?.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/**
 * @param {string | null} host
 * @returns {boolean} whether it stands for all addresses of the machine
 */
export function isAnyHost(host) {
  return host === null || ['', '*', '::', '0.0.0.0'].includes(host);
}
