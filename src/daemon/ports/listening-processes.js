/**
 * Finds the processes that listen on a port or a unix socket, from what Linux shows of the user's own
 * processes. It is read in one go, so its work is limited: the daemon replies to nobody meanwhile.
 */
import { opendirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isAnyHost } from '../../lifecycle/listen-fault.js';
import { listeningSockets } from '../../shared/processes/tcp-table.js';

/** @import { ListenFault } from '../../protocol/shapes.js' */

/**
 * @typedef {object} ListeningProcess
 * @property {number} pid
 * @property {number} group its process group
 * @property {string} commandLine as `ps` shows it, its arguments joined with zero bytes
 *
 * @typedef {{processes: ListeningProcess[], isOfOthers: boolean}} Found isOfOthers: the
 *   sockets belong to another user
 */

/** Of CPU time: by the clock, a busy machine would end the search before it has found anything. */
const MAX_MS = 150;
/** Sockets that listen get low descriptors. */
const MAX_DESCRIPTORS = 256;
const MAX_PROCESSES = 8;
/** Options of Node that are followed by another file than the program. */
const TAKES_FILE = /^(-r|--require|--import|--loader|--experimental-loader|--env-file)$/;
/** Options of Node that are followed by code in place of a program. */
const TAKES_CODE = /^(-e|-p|-pe|--eval|--print)(=|$)/;
/** Characters; a process can call itself anything. */
const MAX_NAME = 60;

/** @param {ListenFault} fault @returns {Found} none on other systems */
export function findListeningProcesses(fault) {
  const sockets = socketsAt(fault);
  if (sockets.length === 0) return { processes: [], isOfOthers: false };
  const processes = processesWith(new Set(sockets.map(({ inode }) => inode)));
  const areForeign = sockets.every(({ uid }) => uid !== null && uid !== process.getuid?.());
  return { processes, isOfOthers: processes.length === 0 && areForeign };
}

/** @param {ListenFault} fault */
function socketsAt({ address, port }) {
  if (port === null) return unixSockets(read('/proc/net/unix'), address ?? '');
  const tables = [read('/proc/net/tcp'), read('/proc/net/tcp6')];
  return tables.flatMap((table) => tcpSockets(table, address, port));
}

/** @param {ReadonlySet<string>} inodes */
function processesWith(inodes) {
  const before = process.cpuUsage();
  /** @type {ListeningProcess[]} */
  const found = [];
  for (const name of readdirSync('/proc')) {
    if (found.length === MAX_PROCESSES || cpuMsSince(before) > MAX_MS) break;
    if (/^\d+$/.test(name) && hasSocket(name, inodes)) found.push(describeProcess(name));
  }
  return found;
}

/** @param {NodeJS.CpuUsage} before */
function cpuMsSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
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
 * Only names: the other arguments, or the code after `-e`, may contain secrets.
 * @param {string} commandLine
 * @returns {string} `nginx`, `node server.js`
 */
export function programName(commandLine) {
  const [command, ...args] = commandLine.split('\0');
  const name = path.basename(command.split(/: | /)[0]).replace(/:$/, '');
  const isScript = (/** @type {string} */ arg, /** @type {number} */ index) =>
    arg !== '' && !arg.startsWith('-') && !TAKES_FILE.test(args[index - 1] ?? '');
  const script = args.find((arg, index) => TAKES_CODE.test(arg) || isScript(arg, index)) ?? '-';
  const isNamed = name === 'node' && !script.startsWith('-');
  return (isNamed ? `${name} ${path.basename(script)}` : name).slice(0, MAX_NAME);
}

/** @typedef {{inode: string, uid: number | null}} ListeningSocket uid: its user, if it is shown */

/** The flag of a unix socket that listens. */
const ACCEPTS = '00010000';

/**
 * @param {string} table what /proc/net/tcp or /proc/net/tcp6 contains, see proc(5)
 * @param {string | null} address
 * @param {number} port
 * @returns {ListeningSocket[]}
 */
export function tcpSockets(table, address, port) {
  return listeningSockets(table)
    .filter((socket) => socket.port === port && collides(socket.host, address))
    .map(({ inode, uid }) => ({ inode, uid }));
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
 * @returns {ListeningSocket[]}
 */
export function unixSockets(table, file) {
  return table.split('\n').flatMap((line) => {
    const [, , , flags, , , inode, name] = line.split(/\s+/);
    return flags === ACCEPTS && name === file ? [{ inode, uid: null }] : [];
  });
}
