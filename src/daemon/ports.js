/** Who had a port when a program could not get it, remembered since later somebody else may have it, and added to what a primary reports. */
import { opendirSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../errors/error.js';
import { isAnyHost, describeListenFault } from '../lifecycle/listening.js';
import { readText } from '../shared/files/inspect-path.js';
import { statFields } from '../shared/processes/identity.js';
import { listeningSockets } from '../shared/processes/tcp-table.js';

/**
 * @import { ListenFault, SlotState, PastExit } from '../protocol/shapes.js'
 * @import { Snapshot } from '../protocol/methods.js'
 */

/** Workers fail together, and each failure is reported several times. */
const FRESH_MS = 1000;
const MAX_KNOWN = 500;
/** ms of searching for one app at once, and its share of the time in the long run: it may lie. */
const MAX_SEARCH_MS = 1000;
const SEARCH_SHARE = 0.05;

export class PortHolders {
  #appsNow;
  #find;
  /** By app and address. @type {Map<string, {holder: string | undefined, atMs: number}>} */
  #known = new Map();
  /** Time that searches took, less what was earned back since. @type {Map<string, {spentMs: number, atMs: number}>} */
  #spent = new Map();

  /** @param {() => KnownApp[]} appsNow @param {typeof findListeningProcesses} [find] */
  constructor(appsNow, find = findListeningProcesses) {
    this.#appsNow = appsNow;
    this.#find = find;
  }

  /**
   * @param {string} app
   * @param {ListenFault} fault
   * @param {number} [atMs] when it happened (epoch)
   * @returns {string | undefined} words that follow `in use by`; undefined: not known
   */
  holderOf(app, fault, atMs = Date.now()) {
    const key = JSON.stringify([app, fault.address, fault.port]);
    const known = this.#known.get(key);
    if (known && atMs < known.atMs + FRESH_MS) return known.holder;
    // Before this daemon ran: whoever has the port now may have got it later, even the app that failed.
    if (atMs < performance.timeOrigin) return undefined;
    const holder = this.#search(app, fault);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, { holder, atMs: Date.now() });
    return holder;
  }

  /** @param {string} app @param {ListenFault} fault */
  #search(app, fault) {
    const beginMs = performance.now();
    const before = this.#spent.get(app) ?? { spentMs: 0, atMs: beginMs };
    const spentMs = Math.max(0, before.spentMs - (beginMs - before.atMs) * SEARCH_SHARE);
    if (spentMs > MAX_SEARCH_MS) return undefined;
    const holder = nameHolder(fault, app, this.#appsNow(), () => this.#find(fault));
    const endMs = performance.now();
    this.#spent.set(app, { spentMs: spentMs + endMs - beginMs, atMs: endMs });
    return holder;
  }
}

/**
 * @typedef {Pick<SlotState, 'slot' | 'pid' | 'listening'>} KnownSlot
 * @typedef {{name: string, primaryPid: number | null, slots: readonly KnownSlot[]}} KnownApp whose primary runs
 */

/** The title of a primary: src/primary/main.js. */
const PRIMARY_TITLE = /^nodecluster: ([\w@][\w.@-]{0,63})\0*$/;
const DAEMON_TITLE = /^nodecluster: (?:daemon|run)\0*$/;

/**
 * @param {ListenFault} fault
 * @param {string} app that has it
 * @param {readonly KnownApp[]} apps of this home
 * @param {() => Found} find called if none of them reports that address
 * @returns {string | undefined} words that follow `in use by`; undefined: not known
 */
export function nameHolder(fault, app, apps, find) {
  const isThere = (/** @type {{address: string}} */ { address }) => collide(fault, address);
  const reported = apps.flatMap(({ name, slots }) =>
    slots
      .filter(({ pid, listening }) => pid !== null && listening.some(isThere))
      .map(({ slot }) => (name === app ? `${name}:${slot}` : name)),
  );
  const other = reported.find((name) => !name.startsWith(`${app}:`)) ?? reported[0];
  if (other !== undefined) return other;
  const { processes, isOfOthers } = find();
  if (isOfOthers) return 'a process of another user';
  const names = processes.map((each) => appOf(each, apps) ?? foreignName(each));
  return names.find((name) => name !== null) ?? undefined;
}

/** @param {ListenFault} fault @param {string} listening an address that a worker reports */
function collide({ address, port }, listening) {
  if (port === null) return listening === address;
  const end = listening.lastIndexOf(':');
  if (listening.slice(end + 1) !== String(port)) return false;
  const host = listening.slice(0, end).replace(/^\[|\]$/g, '');
  return isAnyHost(host) || isAnyHost(address) || host === address;
}

/** @param {ListeningProcess} process @param {readonly KnownApp[]} apps */
function appOf({ pid, group }, apps) {
  const isOf = (/** @type {KnownApp} */ { primaryPid, slots }) =>
    primaryPid === pid || slots.some((slot) => slot.pid === pid || slot.pid === group);
  const names = apps.filter(isOf).map(({ name }) => name);
  // Several share a primary, and no worker of theirs listens there.
  return names.length > 0 ? names.join(' or ') : null;
}

/** @param {ListeningProcess} process @returns {string | null} null: a daemon, which holds copies */
function foreignName({ pid, commandLine }) {
  if (DAEMON_TITLE.test(commandLine)) return null;
  const [, app] = PRIMARY_TITLE.exec(commandLine) ?? [];
  if (app) return `${app} of another home directory (pid ${pid})`;
  return `pid ${pid} (${programName(commandLine)})`;
}

/**
 * @typedef {{reason?: string | null, after?: string, fault?: ListenFault | null}} Explainable
 *   after: why a worker is started again
 *
 * @typedef {(fault: ListenFault, atMs?: number) => string | undefined} HolderOf atMs: when it happened (epoch); default: now
 */

/** @template {Explainable} T @param {T} failure @param {HolderOf} holderOf @param {number} [atMs] */
export function explainFailure(failure, holderOf, atMs) {
  const { reason, after, fault } = failure;
  const text = reason ?? after;
  if (!text || fault?.code !== 'EADDRINUSE') return failure;
  const named = describeListenFault(fault, holderOf(fault, atMs));
  const explained = text.replace(describeListenFault(fault), () => named);
  return { ...failure, [reason ? 'reason' : 'after']: explained };
}

/** @template T @param {T} result of a request, which may be an outcome @param {HolderOf} holderOf */
export function explainOutcome(result, holderOf) {
  const { failed } = /** @type {{failed?: unknown}} */ (result ?? {});
  if (!Array.isArray(failed)) return result;
  return { ...result, failed: failed.map((failure) => explainFailure(failure, holderOf)) };
}

/** @param {Snapshot} snapshot @param {HolderOf} holderOf @returns {Snapshot} */
export function explainSnapshot(snapshot, holderOf) {
  const { lastReload } = snapshot;
  const slots = snapshot.slots.map((slot) => explainSlot(slot, holderOf));
  return {
    ...snapshot,
    lastReload: lastReload && explainFailure(lastReload, holderOf, lastReload.at),
    slots,
  };
}

/** @param {SlotState} state @param {HolderOf} holderOf @returns {SlotState} */
function explainSlot(state, holderOf) {
  const { lastExit, earlierExits } = state;
  const { fault, at } = lastExit ?? {};
  const { reason } = explainFailure({ reason: state.reason, fault }, holderOf, at);
  const explainExit = (/** @type {PastExit} */ exit) => explainFailure(exit, holderOf, exit.at);
  return {
    ...state,
    reason,
    lastExit: lastExit && explainExit(lastExit),
    earlierExits: earlierExits.map(explainExit),
  };
}

/**
 * @typedef {{pid: number, group: number, commandLine: string}} ListeningProcess with its arguments joined by zero bytes
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

/**
 * The processes that listen on a port or a unix socket, from what Linux shows of the user's own processes. It is read in
 * one go, so its work is limited: the daemon replies to nobody meanwhile.
 * @param {ListenFault} fault
 * @returns {Found} none on other systems
 */
export function findListeningProcesses(fault) {
  const sockets = socketsAt(fault);
  if (sockets.length === 0) return { processes: [], isOfOthers: false };
  const processes = processesWith(new Set(sockets.map(({ inode }) => inode)));
  const areForeign = sockets.every(({ uid }) => uid !== null && uid !== process.getuid?.());
  return { processes, isOfOthers: processes.length === 0 && areForeign };
}

/** @param {ListenFault} fault */
function socketsAt({ address, port }) {
  if (port === null) return unixSockets(readText('/proc/net/unix'), address ?? '');
  const tables = [readText('/proc/net/tcp'), readText('/proc/net/tcp6')];
  return tables.flatMap((table) => tcpSockets(table, address, port));
}

/** @param {ReadonlySet<string>} inodes */
function processesWith(inodes) {
  const before = process.cpuUsage();
  const found = [];
  for (const name of readdirSync('/proc')) {
    const { user, system } = process.cpuUsage(before);
    if (found.length === MAX_PROCESSES || (user + system) / 1000 > MAX_MS) break;
    if (/^\d+$/.test(name) && hasSocket(name, inodes)) found.push(describeProcess(name));
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
  const [, , group] = attempt(() => statFields(Number(pid)), ['', '', '0']);
  return { pid: Number(pid), group: Number(group), commandLine: readText(`/proc/${pid}/cmdline`) };
}

/** `nginx`, `node server.js`, `node -e`: the other arguments may contain secrets. @param {string} commandLine */
function programName(commandLine) {
  const [command, ...args] = commandLine.split('\0');
  const name = path.basename(command.split(/: | /)[0]).replace(/:$/, '');
  const isScript = (/** @type {string} */ arg, /** @type {number} */ index) =>
    arg !== '' && !arg.startsWith('-') && !TAKES_FILE.test(args[index - 1] ?? '');
  const script = args.find((arg, index) => TAKES_CODE.test(arg) || isScript(arg, index)) ?? '';
  const shown = script.startsWith('-') ? script.split('=')[0] : path.basename(script);
  return (name === 'node' && shown ? `${name} ${shown}` : name).slice(0, MAX_NAME);
}

/** @typedef {{inode: string, uid: number | null}} ListeningSocket uid: its user, if it is shown */

/** The flag of a unix socket that listens. */
const ACCEPTS = '00010000';

/**
 * @param {string} table what /proc/net/tcp or /proc/net/tcp6 contains, see proc(5)
 * @param {string | null} address
 * @param {number} port
 */
export function tcpSockets(table, address, port) {
  return listeningSockets(table).filter(
    (socket) => socket.port === port && collides(socket.host, address),
  );
}

/** @param {string} hex @param {string | null} address that could not be bound */
function collides(hex, address) {
  if (address === null || isAnyHost(address) || /^0+$/.test(hex)) return true;
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  // An IPv6 address has several forms, so it is not compared.
  return bytes.length !== 4 || hex.endsWith(bytes.reverse().join('').toUpperCase());
}

/** @param {string} table what /proc/net/unix contains @param {string} file @returns {ListeningSocket[]} */
export function unixSockets(table, file) {
  return table.split('\n').flatMap((line) => {
    const [, , , flags, , , inode, name] = line.split(/\s+/);
    return flags === ACCEPTS && name === file ? [{ inode, uid: null }] : [];
  });
}
