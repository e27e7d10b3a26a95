/** Which processes listen on an address, from what Linux shows of them, and what they are called. */
import { opendirSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { readText } from '../files/inspect-path.js';
import { statFields } from './identity.js';
import { listeningFiles, listeningSockets } from './tcp-table.js';

/**
 * @import { ListenFault } from '../../protocol/shapes.js'
 * @import { TcpSocket } from './tcp-table.js'
 *
 * @typedef {Pick<ListenFault, 'address' | 'port'>} Place
 */

/** The title of a primary: src/primary/host.js. */
const PRIMARY_TITLE = /^nodecluster: (?:[\w@][\w.@-]{0,63}|\d+ apps)(?=\0*$)/;
const DAEMON_TITLE = /^nodecluster: (?:daemon|run)\0*$/;

/**
 * @typedef {{name: string, primaryPid: number | null, slots: readonly {pid: number | null}[]}} OwnApp of this home
 */

/**
 * Words that follow `in use by`, if known.
 * @param {Found} found
 * @param {readonly OwnApp[] | null} apps null: not known
 */
export function nameListener({ processes, isOfOthers }, apps) {
  if (isOfOthers) return 'a process of another user';
  const names = processes.map((each) => {
    const { pid, group } = each;
    const own = apps?.filter(
      ({ primaryPid, slots }) =>
        primaryPid === pid || slots.some((slot) => slot.pid === pid || slot.pid === group),
    );
    const [one, other] = own ?? [];
    // Of several in a primary it is not known which one it is.
    return one && !other ? one.name : titleOf(each);
  });
  return names.find((each) => each !== null) ?? undefined;
}

/** @param {ListeningProcess} process @returns {string | null} null: a daemon, which holds copies */
function titleOf({ pid, commandLine }) {
  if (DAEMON_TITLE.test(commandLine)) return null;
  const [title = programName(commandLine)] = PRIMARY_TITLE.exec(commandLine) ?? [];
  return `pid ${pid} (${title})`;
}

/**
 * @typedef {{pid: number, group: number, commandLine: string}} ListeningProcess with its arguments joined by zero bytes
 * @typedef {{processes: ListeningProcess[], isOfOthers: boolean}} Found isOfOthers: the sockets belong to another user
 */

/** Of CPU time: by the clock, a busy machine would end the search before it has found anything. */
const MAX_MS = 150;
/** Sockets that listen get low descriptors. */
const MAX_DESCRIPTORS = 256;
const MAX_PROCESSES = 8;
/** Characters; a process can call itself anything. */
const MAX_NAME = 60;

/**
 * Who listens on a port or a unix socket, from what Linux shows of the user's own processes; nobody on other systems. It is
 * read in one go, so its work is limited: the daemon replies to nobody meanwhile.
 * @param {Place} fault
 * @returns {Found}
 */
export function findListeningProcesses({ address, port }) {
  if (port === undefined) {
    const own = listeningFiles(readText('/proc/net/unix')).filter(({ file }) => file === address);
    return { processes: processesWith(own), isOfOthers: false };
  }
  const tables = readText('/proc/net/tcp') + readText('/proc/net/tcp6');
  const listening = listeningSockets(tables).filter((each) => isAt(each, address, port));
  const processes = processesWith(listening);
  const areForeign = listening.every(({ uid }) => uid !== process.getuid?.());
  return { processes, isOfOthers: listening.length > 0 && processes.length === 0 && areForeign };
}

/** @param {{inode: string}[]} sockets */
function processesWith(sockets) {
  const inodes = new Set(sockets.map(({ inode }) => inode));
  const before = process.cpuUsage();
  /** @type {ListeningProcess[]} */
  const found = [];
  for (const name of inodes.size > 0 ? readdirSync('/proc') : []) {
    const { user, system } = process.cpuUsage(before);
    if (found.length === MAX_PROCESSES || (user + system) / 1000 > MAX_MS) break;
    if (!/^\d+$/.test(name) || !attempt(() => hasSocket(name, inodes), false)) continue;
    const pid = Number(name);
    const [, , group] = attempt(() => statFields(pid), ['', '', '0']);
    found.push({ pid, group: Number(group), commandLine: readText(`/proc/${pid}/cmdline`) });
  }
  return found;
}

/** @param {string} pid @param {ReadonlySet<string>} inodes @throws {Error} it has exited, or belongs to another user */
function hasSocket(pid, inodes) {
  const directory = opendirSync(`/proc/${pid}/fd`);
  try {
    for (let count = 0; count < MAX_DESCRIPTORS; count++) {
      const entry = directory.readSync();
      if (entry === null) break;
      const target = readlinkSync(`/proc/${pid}/fd/${entry.name}`);
      if (inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '')) return true;
    }
    return false;
  } finally {
    directory.closeSync();
  }
}

/** `nginx`, `node server.js`; after an option there may be code, and other arguments may be secret. @param {string} commandLine */
function programName(commandLine) {
  const [command, script = ''] = commandLine.split('\0');
  const name = path.basename(command.split(/: | /)[0]).replace(/:$/, '');
  const isNamed = name === 'node' && script !== '' && !script.startsWith('-');
  return (isNamed ? `${name} ${path.basename(script)}` : name).slice(0, MAX_NAME);
}

/** @param {TcpSocket} socket @param {string | undefined} address that could not be bound @param {number} port */
export function isAt(socket, address, port) {
  if (socket.port !== port) return false;
  if (address === undefined || address === '0.0.0.0' || /^0+$/.test(socket.host)) return true;
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  // An IPv6 address has several forms, so it is not compared.
  return bytes.length !== 4 || socket.host.endsWith(bytes.reverse().join('').toUpperCase());
}
