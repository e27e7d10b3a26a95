/** Addresses by the names that sockets have: `<host>:<port>`, with the host `*` if a program gave none. */

const EVERYWHERE = ['*', '::', '0.0.0.0'];

/**
 * @param {string} one
 * @param {string} other
 * @returns {boolean} whether only one of the two can be listened on
 */
export function collide(one, other) {
  const [a, b] = [one, other].map(parse);
  return a.port === b.port && (a.isEverywhere || b.isEverywhere);
}

/**
 * @param {string} name of a socket that was opened outside
 * @param {string} asked what the program listens on
 * @returns {boolean} whether the program gets that socket. Where both mean every address, it does: the
 *   port is taken, and `[::]` accepts IPv4 too
 */
export function serves(name, asked) {
  if (name === asked) return true;
  const [socket, program] = [name, asked].map(parse);
  return socket.port === program.port && socket.isEverywhere && program.isEverywhere;
}

/** @param {string} name */
function parse(name) {
  const end = name.lastIndexOf(':');
  return { isEverywhere: EVERYWHERE.includes(name.slice(0, end)), port: name.slice(end + 1) };
}
