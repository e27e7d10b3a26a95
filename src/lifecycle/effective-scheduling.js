/** Which kind of scheduling an app gets: not every system and not every version of Node has each. */

/** @typedef {'round-robin' | 'shared' | 'fair' | 'reuseport' | 'sticky'} Scheduling */

/**
 * `UV_TCP_REUSEPORT` came with these versions (https://github.com/nodejs/node/pull/55408): the first
 * minor release by major one. Every later major release has it.
 */
const REUSEPORT_SINCE = new Map([
  [22, 12],
  [23, 1],
]);
const FIRST_MAJOR = 22;

/**
 * @typedef {object} Runtime
 * @property {string} platform as `process.platform`
 * @property {string} node the version that runs the primary and its workers, such as `22.12.0`
 * @property {() => boolean} [canSharePort] whether two sockets can really share a port; default: yes
 *
 * @param {Scheduling} desired
 * @param {Runtime} runtime
 * @returns {{scheduling: Scheduling, note: string | null}} note: why it is another one
 */
export function effectiveScheduling(desired, runtime) {
  const obstacle = desired === 'reuseport' ? reusePortObstacle(runtime) : null;
  if (obstacle === null) return { scheduling: desired, note: null };
  return { scheduling: 'fair', note: `scheduling is fair, because ${obstacle}` };
}

/** @param {Runtime} runtime */
function reusePortObstacle({ platform, node, canSharePort = () => true }) {
  if (platform !== 'linux') return 'reuseport needs Linux';
  const [major, minor] = node.split('.').map(Number);
  const hasReusePort = major >= FIRST_MAJOR && minor >= (REUSEPORT_SINCE.get(major) ?? 0);
  if (!hasReusePort) return `reuseport needs Node 22.12 or later, and this is ${node}`;
  return canSharePort() ? null : 'two sockets could not share a port here';
}
