/**
 * The processes below a worker. They are identified while it runs: later they are orphans, and a pid alone may belong to
 * another process.
 */
import { execFile } from 'node:child_process';
import {
  closeSync,
  openSync,
  opendirSync,
  readFileSync,
  readSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { attempt } from '../../errors/error.js';
import { poll, within } from '../../shared/deadline.js';
import {
  identify,
  isAlive,
  isCertain,
  isGone,
  statFields,
} from '../../shared/processes/identity.js';
import { excerpt } from '../../shared/processes/bounded-command.js';
import { maskCommand } from '../../shared/secrets.js';
import { sendSignal } from '../../shared/processes/signal.js';
import {
  addressOf,
  listeningFiles,
  listeningSockets,
  openSockets,
} from '../../shared/processes/tcp-table.js';

/**
 * @import { ProcessIdentity } from '../../shared/processes/records.js'
 * @import { TcpSocket } from '../../shared/processes/tcp-table.js'
 */

/** A fork bomb must not occupy the primary. */
const MAX_TREE = 1000;
/** The longest wait for the list: what it is read by may be busy with a file system that hangs. */
const LIST_MS = 1000;
/**
 * Files of /proc that are read before connections get their turn: in less than a millisecond. No disk is read, and to read
 * each in a thread would cost ten times as much.
 */
const READS_AT_ONCE = 64;
let reads = 0;
const isTurnOver = () => (reads += 1) % READS_AT_ONCE === 0;
/** How often one process is looked at that starts and ends threads or children all the time. */
const MAX_READINGS = 10;
/** Before it is tried again to read a list, for which this process may have had no descriptor left. */
const RETRY_MS = 100;
/** The longest wait for killed processes to exit; one may hang in the kernel. */
const DEATH_TIMEOUT_MS = 2000;
const POLL_MS = 5;

/**
 * Every process below it, at most `MAX_TREE`, that was found within `LIST_MS`; never rejects. What is missing of a worker
 * that has exited, strays.js finds by its mark.
 * @param {number} pid
 */
export async function descendantsOf(pid) {
  /** @type {Set<number>} */
  const found = new Set();
  // Without a list of processes only the process itself, or its group, is known.
  await within(findBelow(pid, found), LIST_MS).catch(() => {});
  return [...found].map((child) => identify(child)).filter((identity) => identity !== null);
}

/** @param {number} pid @param {Set<number>} found what is below it, in the order of the levels */
async function findBelow(pid, found) {
  const deadline = performance.now() + LIST_MS;
  const addChildren = process.platform === 'linux' ? addChildrenOnLinux : await childrenFromPs();
  await addChildren(pid, found);
  for (const child of found) {
    if (found.size >= MAX_TREE || performance.now() > deadline) return;
    await addChildren(child, found);
  }
}

/** Never rejects. @param {number} group its leader has exited: no other process gets that pid while the group has members */
export async function membersOf(group) {
  if (!attempt(() => process.kill(-group, 0), false)) return [];
  const list = async () => {
    if (process.platform === 'linux')
      return (await pidsOnLinux()).filter((pid) => groupOf(pid) === group);
    const rows = await numbersFromPs('-axo', 'pid=,pgid=');
    return rows.flatMap(([pid, pgid]) => (pgid === group ? pid : []));
  };
  const pids = await list().catch(() => []);
  return pids.map((pid) => identify(pid)).filter((identity) => identity !== null);
}

/** proc(5): the process group is field 5, and the first one here is field 3. @param {number} pid */
function groupOf(pid) {
  return attempt(() => Number(statFields(pid)[2]), null);
}

/** Processes that are named, and characters of a command line that are read. */
const MAX_NAMED = 10;
const MAX_COMMAND = 1000;

/** Some: `sh deploy.sh (pid 812)`. @param {readonly ProcessIdentity[]} processes */
export async function nameProcesses(processes) {
  const named = processes.slice(0, MAX_NAMED).map(async (process) => {
    const line = await readFile(`/proc/${process.pid}/cmdline`, 'utf8').catch(() => '');
    const words = line.slice(0, MAX_COMMAND).split('\0').filter(Boolean);
    const command = excerpt(maskCommand(words)) || 'a process';
    return { pid: process.pid, name: `${command} (pid ${process.pid})` };
  });
  return Promise.all(named);
}

/**
 * How many still existed and got it.
 * @param {readonly ProcessIdentity[]} processes
 * @param {NodeJS.Signals} signal
 */
export function signalProcesses(processes, signal) {
  return processes.filter((each) => isCertain(each) && sendSignal(each.pid, signal)).length;
}

/**
 * A killed process may still exist when its environment can no longer be read.
 * @param {readonly ProcessIdentity[]} ending
 * @param {number} [timeoutMs] default: as long as a killed one may take
 */
export async function untilDead(ending, timeoutMs = DEATH_TIMEOUT_MS) {
  await poll(() => !ending.some(isAlive), { timeoutMs, everyMs: POLL_MS });
}

/**
 * proc(5): every thread lists its children. One that ends leaves them to another thread, and a child that ends may hide the
 * next one, so it is looked again until nothing is new.
 * @param {number} pid
 * @param {Set<number>} found gets them
 */
async function addChildrenOnLinux(pid, found) {
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    const before = found.size;
    const threads = unlessGone(() => readdirSync(`/proc/${pid}/task`));
    /** @type {(string | null | undefined)[]} */
    const lists = [];
    for (const thread of threads ?? []) {
      lists.push(unlessGone(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')));
      if (isTurnOver()) await nextTurn();
    }
    const children = lists.flatMap((list) => list?.split(' ').filter(Boolean) ?? []);
    for (const child of children) found.add(Number(child));
    if (threads === undefined || lists.includes(undefined)) await sleep(RETRY_MS);
    else if (found.size === before && !lists.includes(null)) return;
  }
}

/** @returns {Promise<number[]>} all pids of the machine that /proc shows */
export async function pidsOnLinux() {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

/**
 * @template T
 * @param {() => T} read of a process or thread
 * @returns null: it has exited; undefined: it is unknown
 */
function unlessGone(read) {
  try {
    return read();
  } catch (error) {
    return isGone(error) ? null : undefined;
  }
}

/** @returns {Promise<(pid: number, found: Set<number>) => void>} looks up children in one list of processes */
async function childrenFromPs() {
  const rows = await numbersFromPs('-axo', 'pid=,ppid=');
  return (parent, found) => {
    for (const [pid, ppid] of rows) if (ppid === parent) found.add(pid);
  };
}

/** @param {...string} options @returns {Promise<number[][]>} what ps prints, by row */
export async function numbersFromPs(...options) {
  const { stdout } = await promisify(execFile)('/bin/ps', options);
  const rows = stdout.trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/).map(Number));
}

/** What a worker without an agent listens on, from what Linux shows of the processes below it. */

/** On other systems it is not known. */
export const SEES_LISTENERS = process.platform === 'linux';

const MAX_PROCESSES = 50;
/** Sockets that listen get low descriptors. */
const MAX_DESCRIPTORS = 256;
const MAX_OWN_DESCRIPTORS = 10_000;
const MAX_ADDRESSES = 20;
/** Some hundred sockets. */
const CHUNK_BYTES = 64 * 1024;
/** Less than what the kernel returns of a table that goes on: a page, but for a row. */
const LAST_BYTES = 2048;

/** @typedef {{address: string, pid: number}} TreeListener */

/** The sockets of the machine that listen, by what their descriptors are; elsewhere: without those of this primary. */
export async function readListening() {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readTable(name, listeningSockets).catch(() => [])),
  );
  const all = new Map(tables.flat().map((socket) => [`socket:[${socket.inode}]`, socket]));
  const own = new Set(await descriptorsOf('self', MAX_OWN_DESCRIPTORS));
  // It may have too many to tell.
  const others = own.size < MAX_OWN_DESCRIPTORS ? [...all].filter(([file]) => !own.has(file)) : [];
  return { all, elsewhere: new Map(others) };
}

/**
 * What this process and those below it listen on; never rejects.
 * @param {number} pid
 * @param {ReadonlyMap<string, TcpSocket>} byFile
 */
export async function listenersOf(pid, byFile) {
  if (byFile.size === 0) return [];
  const pids = await treeOf(pid);
  /** By their addresses. @type {Map<string, TreeListener>} */
  const found = new Map();
  for (const each of pids) {
    for (const target of await descriptorsOf(each)) {
      const socket = byFile.get(target);
      const address = socket && addressOf(socket);
      if (address && !found.has(address)) found.set(address, { address, pid: each });
    }
  }
  return [...found.values()].slice(0, MAX_ADDRESSES);
}

/**
 * Whether it, or one below it, listens on a unix socket or perhaps by UDP.
 * @param {number} pid
 * @throws not known
 */
export async function servesWithoutTcp(pid) {
  // Without IPv6 there is no udp6.
  const tables = await Promise.all([
    readTable('unix', listeningFiles),
    readTable('udp', openSockets),
    readTable('udp6', openSockets).catch(() => []),
  ]);
  const [unix, ...udp] = tables;
  const open = new Map(udp.flat().map(({ inode }) => [`socket:[${inode}]`, '']));
  for (const { inode, file } of unix) open.set(`socket:[${inode}]`, file);
  for (const each of await treeOf(pid)) {
    // With its pid in the path it is made for its own children: src/agent/listening.cjs.
    const own = new RegExp(`(^|\\D)${each}(\\D|$)`);
    const held = (await descriptorsOf(each)).flatMap((target) => open.get(target) ?? []);
    if (held.some((file) => !own.test(file))) return true;
  }
  return false;
}

/** @param {number} pid @returns {Promise<number[]>} it and those below it */
async function treeOf(pid) {
  const below = await descendantsOf(pid);
  return [pid, ...below.map((each) => each.pid)].slice(0, MAX_PROCESSES);
}

/** @param {number | 'self'} pid @param {number} [limit] @returns {Promise<string[]>} what its descriptors are */
async function descriptorsOf(pid, limit = MAX_DESCRIPTORS) {
  const directory = attempt(() => opendirSync(`/proc/${pid}/fd`), null);
  /** @type {string[]} */
  const targets = [];
  const next = () => attempt(() => directory?.readSync() ?? null, null);
  for (let entry = next(); entry !== null && targets.length < limit; entry = next()) {
    const { name } = entry;
    targets.push(attempt(() => readlinkSync(`/proc/${pid}/fd/${name}`), ''));
    if (isTurnOver()) await nextTurn();
  }
  directory?.closeSync();
  return targets;
}

/**
 * Of TCP the sockets that listen come first, and thousands of connections may follow: megabytes in each look, and the
 * kernel searches all its memory for them.
 * @template {{inode: string}} Socket
 * @param {string} name
 * @param {(table: string) => Socket[]} socketsIn
 */
async function readTable(name, socketsIn) {
  const file = openSync(`/proc/net/${name}`, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  /** @type {Socket[]} */
  const found = [];
  let rest = '';
  try {
    for (let bytes; (bytes = readSync(file, chunk)) > 0; await nextTurn()) {
      const text = rest + chunk.toString('latin1', 0, bytes);
      const end = text.lastIndexOf('\n') + 1;
      const sockets = socketsIn(text.slice(0, end));
      found.push(...sockets);
      const lastRow = text.slice(text.lastIndexOf('\n', end - 2) + 1, end);
      const isTcp = name.startsWith('tcp');
      if (isTcp && (bytes < LAST_BYTES || socketsIn(lastRow).length === 0)) break;
      rest = text.slice(end);
    }
  } finally {
    closeSync(file);
  }
  return found;
}
