/**
 * Finds the processes that listen on a port or a unix socket, from what Linux shows of the user's own
 * processes. It is read in one go, so its work is limited: the daemon replies to nobody meanwhile.
 */
import { opendirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isAnyHost } from '../../lifecycle/listen-fault.js';

/** @import { ListenFault } from '../../protocol/shapes.js' */

/**
 * @typedef {object} ListeningProcess
 * @property {number} pid
 * @property {number} group its process group
 * @property {string} commandLine as `ps` shows it, its arguments joined with zero bytes
 *
 * @typedef {{processes: ListeningProcess[], isOfOthers: boolean}} Found isOfOthers: it listens, but
 *   none of this user's processes does
 */

const MAX_MS = 150;
/** Sockets that listen get low descriptors. */
const MAX_DESCRIPTORS = 256;
const MAX_PROCESSES = 8;
/** In /proc/net/tcp. */
const LISTEN = '0A';
/** The flag of a unix socket that listens. */
const ACCEPTS = '00010000';
/** Options of Node that are followed by another file than the program. */
const TAKES_FILE = /^(-r|--require|--import|--loader|--experimental-loader|--env-file)$/;

/** @param {ListenFault} fault @returns {Found} none on other systems */
export function findListeningProcesses(fault) {
  const inodes = new Set(inodesOf(fault));
  if (inodes.size === 0) return { processes: [], isOfOthers: false };
  const processes = processesWith(inodes);
  return { processes, isOfOthers: processes.length === 0 };
}

/** @param {ListenFault} fault */
function inodesOf({ address, port }) {
  if (port === null) return unixInodes(read('/proc/net/unix'), address ?? '');
  const tables = [read('/proc/net/tcp'), read('/proc/net/tcp6')];
  return tables.flatMap((table) => tcpInodes(table, address, port));
}

/**
 * @param {string} table what /proc/net/tcp or /proc/net/tcp6 contains, see proc(5)
 * @param {string | null} address
 * @param {number} port
 * @returns {string[]} of the sockets that listen there
 */
export function tcpInodes(table, address, port) {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    const [host, ownPort] = local.split(':');
    return state === LISTEN && ownPort === hexPort && collides(host, address) ? [inode] : [];
  });
}

/** @param {string} hex @param {string | null} address that could not be bound */
function collides(hex, address) {
  if (address === null || isAnyHost(address) || /^0+$/.test(hex)) return true;
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  // An IPv6 address has several forms, so it is not compared.
  return bytes.length !== 4 || hex.endsWith(bytes.reverse().join('').toUpperCase());
}

/**
 * @param {string} table what /proc/net/unix contains
 * @param {string} file
 * @returns {string[]}
 */
export function unixInodes(table, file) {
  return table.split('\n').flatMap((line) => {
    const [, , , flags, , , inode, name] = line.split(/\s+/);
    return flags === ACCEPTS && name === file ? [inode] : [];
  });
}

/** @param {ReadonlySet<string>} inodes @returns {ListeningProcess[]} */
function processesWith(inodes) {
  const untilMs = performance.now() + MAX_MS;
  /** @type {ListeningProcess[]} */
  const found = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || !hasSocket(name, inodes)) continue;
    found.push(describeProcess(name));
    if (found.length === MAX_PROCESSES || performance.now() > untilMs) break;
  }
  return found;
}

/** @param {string} pid @param {ReadonlySet<string>} inodes */
function hasSocket(pid, inodes) {
  try {
    const directory = opendirSync(`/proc/${pid}/fd`);
    try {
      for (let count = 0; count < MAX_DESCRIPTORS; count++) {
        const entry = directory.readSync();
        if (entry === null) return false;
        const target = readlinkSync(`/proc/${pid}/fd/${entry.name}`);
        if (inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '')) return true;
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    // It has exited, or belongs to another user.
  }
  return false;
}

/** @param {string} pid */
function describeProcess(pid) {
  // The name in parentheses may contain anything; then state, parent and group follow.
  const stat = read(`/proc/${pid}/stat`);
  const [, , group = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { pid: Number(pid), group: Number(group), commandLine: read(`/proc/${pid}/cmdline`) };
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * @param {string} commandLine
 * @returns {string} `nginx`, `node server.js`
 */
export function programName(commandLine) {
  const [command, ...args] = commandLine.split('\0');
  const name = path.basename(command.split(/: | /)[0]).replace(/:$/, '');
  const isScript = (/** @type {string} */ arg, /** @type {number} */ index) =>
    arg !== '' && !arg.startsWith('-') && !TAKES_FILE.test(args[index - 1] ?? '');
  const script = name === 'node' ? args.find(isScript) : '';
  return script ? `${name} ${path.basename(script)}` : name;
}
