/** What a worker without an agent listens on, from what Linux shows of the processes below it. */
import { open, readdir, readlink } from 'node:fs/promises';
import { addressOf, listeningSockets } from '../../shared/processes/tcp-table.js';
import { descendantsOf } from './tree.js';

/** @import { TcpSocket } from '../../shared/processes/tcp-table.js' */

/** On other systems it is not known. */
export const SEES_LISTENERS = process.platform === 'linux';

const MAX_PROCESSES = 50;
/** Sockets that listen get low descriptors. */
const MAX_DESCRIPTORS = 256;
const MAX_ADDRESSES = 20;
/** Some hundred sockets. */
const CHUNK_BYTES = 64 * 1024;

/**
 * @param {number} pid
 * @returns {Promise<string[]>} addresses that this process and those below it listen on; never rejects
 */
export async function listenersOf(pid) {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readListening(`/proc/net/${name}`).catch(() => [])),
  );
  const byInode = new Map(tables.flat().map((socket) => [`socket:[${socket.inode}]`, socket]));
  if (byInode.size === 0) return [];
  const below = await descendantsOf(pid);
  const pids = [pid, ...below.map((each) => each.pid)].slice(0, MAX_PROCESSES);
  /** @type {Set<string>} */
  const found = new Set();
  for (const each of pids) {
    for (const target of await descriptorsOf(each)) {
      const socket = byInode.get(target);
      if (socket) found.add(addressOf(socket));
    }
  }
  return [...found].slice(0, MAX_ADDRESSES);
}

/** @param {number} pid @returns {Promise<string[]>} what its descriptors are */
async function descriptorsOf(pid) {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = names
    .slice(0, MAX_DESCRIPTORS)
    .map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''));
  return Promise.all(links);
}

/**
 * The sockets that listen come first, and thousands of connections may follow: megabytes in each look.
 * @param {string} file
 * @returns {Promise<TcpSocket[]>}
 */
async function readListening(file) {
  const handle = await open(file);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    /** @type {TcpSocket[]} */
    const found = [];
    let rest = '';
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      const text = rest + buffer.toString('latin1', 0, bytesRead);
      const end = text.lastIndexOf('\n') + 1;
      const sockets = listeningSockets(text.slice(0, end));
      rest = text.slice(end);
      if (sockets.length === 0) return found;
      found.push(...sockets);
    }
  } finally {
    await handle.close();
  }
}
