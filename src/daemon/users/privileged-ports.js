/**
 * The ports below 1024 of an app of another user: this daemon opens, as root, those that the spec lists, and holds them as any
 * socket of a primary. Sockets of the init system may be ports of any app, so such a primary gets only those that it lists.
 */
import { NodeclusterError } from '../../errors/error.js';
import { isAnyHost, placeAt } from '../../lifecycle/listening.js';
import { readText } from '../../shared/files/inspect-path.js';
import { isOtherUser } from '../../shared/home.js';
import { bindSocket } from '../../shared/inherited-socket.js';
import { reasonText } from '../../show/reason.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { HolderOf } from '../ports.js'
 * @import { HeldSockets } from '../primaries/held-sockets.js'
 */

/** Linux: the first port that everybody may listen on. */
const FIRST_FREE = '/proc/sys/net/ipv4/ip_unprivileged_port_start';

/** @typedef {{host: string, port: number}} Place host `*`: every address */

/**
 * What its next primary inherits.
 * @param {Spec} spec @param {HeldSockets} held of the primary before
 * @param {InheritedSocket[]} outer sockets of the init system @param {HolderOf} holderOf
 * @throws {NodeclusterError} E_PRIVILEGED_PORT
 */
export function socketsFor({ name: app, uid, privilegedPorts }, held, outer, holderOf) {
  if (!isOtherUser(uid)) return [...held.all, ...outer];
  const listed = new Map(privilegedPorts.map((text) => [nameOf(placeOf(text)), placeOf(text)]));
  const permitted = outer.filter(({ name }) => listed.has(nameOf(placeOf(name))));
  for (const { name } of permitted) listed.delete(nameOf(placeOf(name)));
  const firstFree = Number(readText(FIRST_FREE) || 1024);
  for (const { name } of held.all) {
    if (!listed.has(name) && placeOf(name).port < firstFree) held.remove(name)?.close();
  }
  const open = new Set(held.all.map(({ name }) => name));
  for (const [name, place] of listed) {
    if (!open.has(name)) held.add(name, openPort(app, place, holderOf));
  }
  const own = held.all.map((socket) => ({ ...socket, isPrivileged: listed.has(socket.name) }));
  return [...own, ...permitted];
}

/** @param {string} address `80`, `127.0.0.1:80`, `[::1]:80`, or the name of a socket @returns {Place} */
function placeOf(address) {
  const { host, port } = placeAt(address);
  return { host: isAnyHost(host) ? '*' : host, port: port ?? 0 };
}

/** @param {Place} place @returns {string} as a primary names the socket */
function nameOf({ host, port }) {
  return `${host}:${port}`;
}

/** @param {string} app @param {Place} place @param {HolderOf} holderOf */
function openPort(app, { host, port }, holderOf) {
  const handle = bindSocket(host, port);
  if (typeof handle === 'object') return handle;
  const fault = /** @type {const} */ ({ kind: 'listen', errno: handle, address: host, port });
  const reason = reasonText({ ...fault, holder: holderOf(fault) });
  throw new NodeclusterError('E_PRIVILEGED_PORT', { app, reason });
}
