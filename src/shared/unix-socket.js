/**
 * A unix socket at a path. It is bound beside that path and then renamed, so that it appears in one step, and so that
 * closing it removes no socket that another process has put there since.
 */
import { once } from 'node:events';
import { closeSync, constants, lstatSync, openSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { NodeclusterError, attempt } from '../errors/error.js';

/** @typedef {Awaited<ReturnType<typeof listenAt>>} Listener */

/**
 * When clients can connect.
 * @param {string} socketPath
 * @param {net.Server} server
 * @throws {NodeclusterError} E_PROTOCOL_SOCKET; its reason is EADDRINUSE if a process answers there
 */
export async function listenAt(socketPath, server) {
  try {
    await makeWay(socketPath);
    const { dir, base } = path.parse(socketPath);
    // Not longer than the path itself, since the length of such a path is limited.
    const temporary = path.join(dir, `${base.slice(0, -1)}~`);
    rmSync(temporary, { force: true });
    await bind(server, temporary);
    const { dev, ino } = lstatSync(temporary);
    renameSync(temporary, socketPath);
    const isOwn = (/** @type {{dev: number, ino: number}} */ found) =>
      found.dev === dev && found.ino === ino;
    return {
      server,
      /** Whether the path still leads to this socket. */
      isReachable: () => lstat(socketPath).then(isOwn, mayBeThere),
      removeFile: () => {
        // If it is gone, or stays, whoever listens next replaces it.
        attempt(() => isOwn(lstatSync(socketPath)) && unlinkSync(socketPath), undefined);
      },
    };
  } catch (error) {
    server.close();
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const reason = code ?? message;
    throw new NodeclusterError('E_PROTOCOL_SOCKET', { socket: socketPath, reason }, error);
  }
}

/** @param {string} socketPath */
async function makeWay(socketPath) {
  // Only a socket on which nobody listens may be replaced. A file or directory in its place is kept
  // beside it, since its owner may not know how to free the path.
  const found = lstatSync(socketPath, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket()) renameSync(socketPath, `${socketPath}.aside`);
  else if (await answers(socketPath))
    throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
}

/**
 * Whether a process listens there, suspended or not; rejects: not known.
 * @param {string} socketPath
 */
export function answers(socketPath) {
  return new Promise((resolve, reject) => {
    const socket = withShortPath(socketPath, (reachable) => net.connect(reachable));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false);
      else reject(error);
    });
  });
}

/** @param {net.Server} server @param {string} file */
async function bind(server, file) {
  // listen() binds the socket at once, so with this umask its mode is 0600 from the beginning.
  const before = process.umask(0o177);
  try {
    withShortPath(file, (reachable) => server.listen(reachable));
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
  // A failed accept (EMFILE) affects one client; the next accept may succeed.
  server.on('error', () => {});
}

/** An error that says nothing about the path (EIO) is no reason to listen again. @param {unknown} error */
export function mayBeThere(error) {
  const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
  return code !== 'ENOENT' && code !== 'ENOTDIR';
}

/** In bytes; the limit of macOS, which Linux exceeds by 4. Node 20 silently truncates a longer path. */
export const MAX_PATH = 103;

/**
 * Linux reaches a longer path through a descriptor of its directory.
 * @throws {Error} ENAMETOOLONG elsewhere
 * @template T
 * @param {string} socketPath
 * @param {(reachable: string) => T} use binds or connects before it returns
 */
export function withShortPath(socketPath, use) {
  if (Buffer.byteLength(socketPath) <= MAX_PATH) return use(socketPath);
  if (process.platform !== 'linux') {
    throw Object.assign(new Error('the path is too long'), { code: 'ENAMETOOLONG' });
  }
  const { dir, base } = path.parse(socketPath);
  const directory = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return use(`/proc/self/fd/${directory}/${base}`);
  } finally {
    closeSync(directory);
  }
}
