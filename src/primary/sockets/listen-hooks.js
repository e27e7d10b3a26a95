/**
 * The only file that depends on how node:cluster opens its sockets in the primary: by `net._createServerHandle`, the same on
 * Node 20, 22, 24 and 26; if it were not, no socket would be held, and only workers could accept.
 */
import { linkSync, lstatSync, rmSync } from 'node:fs';
import net from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { fingerprintOf } from '../../shared/fingerprint.js';
import { listeningAddress } from '../../shared/inherited-socket.js';
import { MAX_PATH } from '../../shared/unix-socket.js';
import { namePath } from './addresses.js';

/** @import { ListeningSockets, TcpHandle } from './listening-sockets.js' */

/** How often to bind a path whose file another worker keeps removing. */
const MAX_BINDS = 5;
/** What `net._createServerHandle` returns in place of a handle. */
const IN_USE = -constants.errno.EADDRINUSE;

/** Of the app whose worker asks node:cluster for a socket now. @type {ListeningSockets | null} */
let current = null;
let isHooked = false;

/**
 * Lets node:cluster act on a request of a worker of these.
 * @param {ListeningSockets} sockets
 * @param {() => void} act
 */
export function openFor(sockets, act) {
  if (!isHooked) hook();
  isHooked = true;
  current = sockets;
  try {
    act();
  } finally {
    current = null;
  }
}

function hook() {
  const internals = /** @type {{_createServerHandle?: Function}} */ (net);
  const create = internals._createServerHandle;
  if (typeof create !== 'function') return;
  internals._createServerHandle = (/** @type {any[]} */ ...args) => {
    const [host, port] = args;
    const open = () => Reflect.apply(create, net, args);
    const sockets = current;
    if (sockets === null) return open();
    if (port === -1 && typeof host === 'string') {
      args[0] = reachable(host);
      const handle = bindPath(args[0], sockets, open);
      return sockets.opened(namePath(host), handle, false);
    }
    const name = nameOf({ host, port });
    if (name === null) return sockets.opened('', open(), false);
    // A second server of one worker, which node:cluster (Node 22 to 26) would end by an assertion.
    if (sockets.isInUse(name)) return IN_USE;
    return sockets.opened(name, sockets.take(name) ?? openBound(open, port), true);
  };
}

/**
 * bind may not report EADDRINUSE until a worker listens; until then the handle has another port.
 * @param {() => any} open returns the handle, or the error as a number
 * @param {number} port
 */
function openBound(open, port) {
  const handle = open();
  if (typeof handle !== 'object' || listeningAddress(handle)?.port === port) return handle;
  handle.close();
  return IN_USE;
}

/** node:cluster makes paths relative, but another user cannot enter the directories above their own. @param {string} relative */
function reachable(relative) {
  const name = namePath(relative);
  return name.startsWith('\0') || Buffer.byteLength(name) <= MAX_PATH ? name : relative;
}

/**
 * Another worker may remove the file right after bind, as it would remove any stale one.
 * @param {string} relative
 * @param {ListeningSockets} sockets
 * @param {() => any} bind returns the handle, or the error as a number
 */
function bindPath(relative, sockets, bind) {
  // An abstract name is not a file, so nobody can remove it.
  if (relative.startsWith('\0')) return bind();
  const absolute = path.resolve(relative);
  sockets.unixPaths.removeStale(absolute);
  for (let tries = 1; ; tries++) {
    const handle = bind();
    const isBound = typeof handle === 'object';
    if (!isBound || sockets.unixPaths.protect(absolute, handle) || tries === MAX_BINDS)
      return handle;
    handle.close();
  }
}

/** Null for what is never held: a unix socket, a descriptor, a port that the system chooses. @param {unknown} address */
export function nameOf(address) {
  const { port, host } = /** @type {{port?: number, host?: string | null}} */ (address ?? {});
  return typeof port === 'number' && port > 0 ? `${host ?? '*'}:${port}` : null;
}

/**
 * The files of unix sockets. Most programs unlink their socket's path before they listen. The second worker thereby removes
 * the file of the first, and since all share the primary's one socket, no client could reach the app. So each file has a
 * hidden link beside it, from which it is restored, and by which the next primary knows a file that a killed one left.
 */
export class UnixPaths {
  /** @type {Map<TcpHandle, {file: string, spare: string, inode: number}>} */
  #files = new Map();
  #owner;

  /** @param {{home: string, app: string}} owner no other primary runs for it */
  constructor({ home, app }) {
    this.#owner = `${app}.${fingerprintOf(home)}`;
  }

  /** @param {string} file that is about to be bound: one of a primary that was killed is removed */
  removeStale(file) {
    if ([...this.#files.values()].some((each) => each.file === file)) return;
    // One of them may not exist.
    attempt(() => {
      const [one, two] = [file, this.#spareOf(file)].map((each) => lstatSync(each));
      if (one.ino === two.ino && one.dev === two.dev) rmSync(file);
    }, undefined);
  }

  /**
   * False: the file has been removed already. True also on a file system without links.
   * @param {string} file
   * @param {TcpHandle} handle that has just been bound to it
   */
  protect(file, handle) {
    const spare = this.#spareOf(file);
    try {
      rmSync(spare, { force: true });
      linkSync(file, spare);
      this.#files.set(handle, { file, spare, inode: lstatSync(spare).ino });
    } catch (error) {
      return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT';
    }
    return true;
  }

  /** Restores the files that were removed, with the mode that they had. */
  restore() {
    for (const { file, spare } of this.#files.values()) {
      // Its directory may have been removed, or another process faster.
      attempt(() => lstatSync(file, { throwIfNoEntry: false }) ?? linkSync(spare, file), undefined);
    }
  }

  /** @param {string} file @returns {string} the same in every life of the app: what is there is replaced */
  #spareOf(file) {
    const { dir, base } = path.parse(file);
    return path.join(dir, `.${base}.${this.#owner}`);
  }

  /** @param {TcpHandle} handle that is closed */
  forget(handle) {
    const { spare = '', inode } = this.#files.get(handle) ?? {};
    this.#files.delete(handle);
    // It may belong to another socket by now, or have been removed already.
    attempt(() => lstatSync(spare).ino === inode && rmSync(spare), undefined);
  }
}
