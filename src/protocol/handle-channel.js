/**
 * A connection over a unix socket that carries listening sockets beside messages. Only one message is on its way in each
 * direction, so each arrives in one read, together with its socket.
 *
 * Only this file depends on internals for that, the same on Node 20, 22, 24 and 26: a handle of the class Pipe that is made
 * for IPC sends the third argument of `writeUtf8String` and leaves what it receives in `pendingHandle`.
 */
import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { attempt } from '../errors/error.js';
import { within } from '../shared/deadline.js';
import { listenAt, withShortPath } from '../shared/unix-socket.js';

/** The type of a Pipe that can carry handles. */
const IPC = 2;
/** How many sockets one side may keep for the other: one for each slot and address of an app. */
export const MAX_HANDLES = 256;
/** Bytes of a message. */
const MAX_MESSAGE = 1024;

/** @import { Handle } from '../shared/inherited-socket.js' */

/**
 * @typedef {Handle & {
 *   open: (fd: number) => number,
 *   pendingHandle?: Handle | null,
 *   writeUtf8String: (request: {handle?: Handle} | null, text: string, sent?: Handle | null) => unknown,
 * }} Pipe
 */

/** @param {string} path on which `acceptChannels` listens @param {number} timeoutMs @throws {Error} of connect, or it took too long */
export async function connectChannel(path, timeoutMs) {
  const socket = socketOf(makePipe(), { pauseOnCreate: true });
  const isConnected = once(socket, 'connect');
  try {
    withShortPath(path, (reachable) => socket.connect(reachable));
    if (!(await within(isConnected, timeoutMs))) throw new Error(`no reply within ${timeoutMs} ms`);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return new HandleChannel(socket);
}

/**
 * @param {string} path
 * @param {(channel: HandleChannel) => void} onChannel
 * @returns {Promise<() => void>} ends it, and removes its socket
 * @throws {NodeclusterError} E_PROTOCOL_SOCKET
 */
export async function acceptChannels(path, onChannel) {
  // Node accepts a connection as a handle that carries no others, so a second handle is opened on the
  // same descriptor. The first is never read from, and never closed: only one may close it.
  const server = net.createServer({ pauseOnConnect: true }, (parked) => {
    const pipe = makePipe();
    const fd = handleOf(parked)?.fd;
    if (fd === undefined || pipe.open(fd) !== 0) return parked.destroy();
    parked.unref();
    onChannel(new HandleChannel(socketOf(pipe)));
  });
  const { removeFile } = await listenAt(path, server.unref());
  return () => {
    removeFile();
    server.close();
  };
}

/** Events: 'message' (message, handle or null), whose receiver owns the handle; 'close', also if one is too long or not JSON. */
export class HandleChannel extends EventEmitter {
  #socket;

  /** @param {net.Socket} socket connected, over a Pipe that carries handles */
  constructor(socket) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.emit('close'));
    socket.resume();
  }

  /**
   * Only when the peer has replied to the message before.
   * @param {object} message @param {Handle} [handle] of a socket; this process keeps it
   */
  send(message, handle) {
    const pipe = handleOf(this.#socket);
    if (!pipe) return;
    const { writeUtf8String } = pipe;
    pipe.writeUtf8String = (request, text) => {
      const result = Reflect.apply(writeUtf8String, pipe, [request, text, handle]);
      // The handle that is sent took the place of the one that the request belongs to.
      if (request) request.handle = pipe;
      return result;
    };
    this.#socket.write(JSON.stringify(message));
    delete (/** @type {Partial<Pipe>} */ (pipe).writeUtf8String);
  }

  close() {
    this.#socket.destroy();
  }

  /** @param {Buffer} chunk one message */
  #read(chunk) {
    const pipe = handleOf(this.#socket);
    const handle = pipe?.pendingHandle ?? null;
    if (pipe) pipe.pendingHandle = null;
    const isShort = chunk.length <= MAX_MESSAGE;
    const message = isShort ? attempt(() => JSON.parse(chunk.toString()), null) : null;
    if (typeof message === 'object' && message !== null)
      return void this.emit('message', message, handle);
    handle?.close();
    this.close();
  }
}

/** @returns {Pipe} Node does not export its class; every connection to a path has one */
function makePipe() {
  const probe = net.connect('/');
  const Pipe = /** @type {new (type: number) => Pipe} */ (handleOf(probe)?.constructor);
  probe.destroy();
  return new Pipe(IPC);
}

/** @param {Pipe} handle @param {object} [options] */
function socketOf(handle, options) {
  return new net.Socket(/** @type {net.SocketConstructorOpts} */ ({ handle, ...options }));
}

/** @param {net.Socket} socket @returns {Pipe | null} null when it is closed */
function handleOf(socket) {
  return /** @type {{_handle?: Pipe | null}} */ (socket)._handle ?? null;
}
