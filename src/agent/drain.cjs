'use strict';
/**
 * How a worker stops serving without losing a request: stop accepting → make every response the last of its connection →
 * wait for the connections to close → report → stay until the primary has noted that, to refuse what it sent meanwhile.
 */
const net = require('node:net');
const { chooseStopSignal } = require('./answers.cjs');
const { send } = require('./channel.cjs');
const guard = require('./guard.cjs');
const { goAway, closeAfterResponses } = require('./http-sockets.cjs');
const { protocolOf } = require('./listening.cjs');
const { countConnections } = require('./servers.cjs');
const { ignoreClosedChannel } = require('./standard-streams.cjs');

const { apply, asProgram, attempt, before, clearInterval, guarded, now, replace } = guard;
const { setImmediate, setInterval, setTimeout } = guard;
const { kill, pid } = process;

/**
 * @import { Worker } from 'node:cluster'
 * @import { Socket } from 'node:net'
 * @import { Servers, TrackedServer } from './servers.cjs'
 *
 * @typedef {Socket & {server: TrackedServer, _handle: null | {bytesRead: number, bytesWritten: number}}} Connection
 */

const CHECK_INTERVAL_MS = 100;
/** A connection may have been opened just now for a request that is still on its way. */
const IDLE_GRACE_MS = 500;

class Drain {
  /** @param {Servers} servers @param {() => number} countUndecided connections that may become theirs */
  constructor(servers, countUndecided) {
    this.servers = servers;
    this.countUndecided = countUndecided;
    /** @type {TrackedServer[]} */
    this.draining = [];
    /** @type {NodeJS.Timeout | undefined} keeps the process alive until `settle` */
    this.timer = undefined;
    this.isDrained = false;
    this.startedMs = 0;
    /** @param {number} open connections */
    this.report = (open) => send('drained', { open });
  }

  /** @param {() => void} callback instead of the report to the primary; at once if already drained */
  onDrained(callback) {
    if (this.isDrained) callback();
    else this.report = callback;
  }

  /** `idle: 'close'`: no other worker follows. @param {{timeoutMs?: number, idle?: 'keep' | 'close'}} order */
  begin({ timeoutMs = 30_000, idle = 'keep' }) {
    if (this.timer || this.isDrained) return;
    this.draining = [...this.servers.listening];
    this.startedMs = now();
    const deadline = this.startedMs + timeoutMs;
    const check = guarded(() => this.#check(deadline, idle));
    this.timer = setInterval(check, CHECK_INTERVAL_MS);
    attempt(() => closeAfterResponses(this.draining));
    for (const server of this.draining) attempt(() => stopAccepting(server));
    for (const session of this.servers.http2Sessions) goAway(session);
    // For connections still in their TLS handshake.
    attempt(() => this.servers.onSession.add(goAway));
    for (const server of this.draining) attempt(() => server.once('close', check));
    check();
  }

  /**
   * Everything that the primary sent before has arrived. With its servers closed the program might exit now, so it is kept
   * alive until the handler of `kill_signal` has run.
   * @param {{signal: NodeJS.Signals | 'auto' | null}} next null: a message
   */
  settle({ signal: killSignal }) {
    const release = () => clearInterval(this.timer);
    // First: also if the program has replaced what the rest uses.
    send('settled');
    const signal = killSignal && chooseStopSignal(killSignal);
    if (signal === null) release();
    // Without a listener the default action ends the process; adding one would prevent that.
    else if (process.listenerCount(signal) > 0) process.once(signal, guarded(release));
  }

  /** @param {number} deadline @param {'keep' | 'close'} idle */
  #check(deadline, idle) {
    const closesIdle = idle === 'close' && now() - this.startedMs >= IDLE_GRACE_MS;
    if (closesIdle)
      for (const server of this.draining) attempt(() => server.closeIdleConnections?.());
    let open = this.countUndecided() - countSilent(this.draining);
    for (const server of this.draining) open += countConnections(server);
    if (this.isDrained || (open > 0 && now() < deadline)) return;
    this.isDrained = true;
    this.report(open);
  }
}

/**
 * With the close of net, because that of http resets idle connections whose next request may be on its way. The program
 * may call server.close() again, and must not get an error.
 * @param {TrackedServer} server
 */
function stopAccepting(server) {
  let isClosed = false;
  const noteClose = guarded(() => (isClosed = true));
  server.once('close', noteClose);
  apply(net.Server.prototype.close, server, []);
  /** @this {TrackedServer} @param {unknown} callback */
  const close = function (callback) {
    this.closeIdleConnections?.();
    if (typeof callback === 'function') {
      const call = guarded(() => asProgram(() => callback()));
      if (isClosed) setImmediate(call);
      else this.once('close', call);
    }
    return this;
  };
  replace(server, 'close', close);
}

/**
 * @typedef {{drainTimeoutMs: number, killTimeoutMs: number, signal: NodeJS.Signals | 'auto' | null}} End what the primary
 *   orders for the case that it dies; signal: that asks the program to exit; null: a message does
 */

/**
 * When the primary dies, node:cluster would end the worker at once. It finishes its requests, and exits as if it had been
 * stopped.
 * @param {Worker} worker
 * @param {Drain} drain
 * @param {End} end
 */
function outlivePrimary(worker, drain, { drainTimeoutMs, killTimeoutMs, signal: killSignal }) {
  const onDisconnect = guarded(() => {
    // The program called cluster.worker.disconnect().
    if (worker.exitedAfterDisconnect) return;
    // Otherwise node:cluster exits at the end of this event.
    worker.exitedAfterDisconnect = true;
    attempt(ignoreClosedChannel);
    drain.onDrained(() => {
      setTimeout(() => kill(pid, 'SIGKILL'), killTimeoutMs).unref();
      // Chosen once: settling adds a listener.
      const signal = killSignal && chooseStopSignal(killSignal);
      drain.settle({ signal });
      if (signal === null) asProgram(() => process.emit('message', 'shutdown', undefined));
      else kill(pid, signal);
    });
    drain.begin({ timeoutMs: drainTimeoutMs });
  });
  worker.once('disconnect', onDisconnect);
}

/**
 * A drain does not wait for silent connections of servers other than HTTP. They are looked for among Node's handles; what is
 * not found is waited for. Until then, only writes are noted.
 */

/** A request may be on its way on a connection that is silent. */
const SILENCE_MS = 500;
/** @type {WeakSet<TrackedServer>} */
const rawServers = new WeakSet();
/** How much had been read when the program last wrote. @type {WeakMap<Socket, number>} */
const readAtLastWrite = new WeakMap();
/** By the connection below it. @type {WeakMap<Socket, Socket>} */
const encrypted = new WeakMap();

/** @param {Pick<Servers, 'onListening'>} servers */
function watchRawServers({ onListening }) {
  const hooked = new Set();
  /** Under these names on Node 20 to 26. @type {typeof before} */
  const hook = (prototype, name, note) => {
    // The socket may be one of the program's own making. Then it is waited for.
    if (!hooked.has(name)) before(prototype, name, note);
    hooked.add(name);
  };
  onListening.add((server) => {
    if (protocolOf(server) !== null) return;
    rawServers.add(server);
    hook(net.Socket.prototype, '_writeGeneric', (socket) => {
      if (rawServers.has(socket.server)) readAtLastWrite.set(socket, socket.bytesRead);
    });
    if (!('setSecureContext' in server)) return;
    hook(require('node:tls').TLSSocket.prototype, '_init', (socket, [below]) => {
      if (rawServers.has(below?.server)) encrypted.set(below, socket);
    });
  });
}

/** What had moved when each was first seen, and until when it is waited for anyway. @type {WeakMap<Connection, {bytes: number, untilMs: number}>} */
const seen = new WeakMap();

/** @param {readonly TrackedServer[]} servers @returns {number} connections of theirs that need not be waited for */
function countSilent(servers) {
  try {
    let silent = 0;
    // Also exists on Node 20 to 26, and a program can put anything into its place.
    for (const each of /** @type {any} */ (process)._getActiveHandles())
      if (rawServers.has(each.server) && servers.includes(each.server) && isSilent(each))
        silent += 1;
    return silent;
  } catch {
    return 0;
  }
}

/**
 * Not if anything has moved since the drain began, if the program was the last to receive, since it may owe an answer, or
 * if it could not write all of that.
 * @param {Connection} connection
 */
function isSilent(connection) {
  const { _handle: handle } = connection;
  if (!handle) return false;
  const nowMs = now();
  const moved = handle.bytesRead + handle.bytesWritten;
  const first = seen.get(connection) ?? { bytes: moved, untilMs: nowMs + SILENCE_MS };
  seen.set(connection, first);
  const socket = encrypted.get(connection) ?? connection;
  const isOwed = socket.bytesRead > (readAtLastWrite.get(socket) ?? 0);
  return moved === first.bytes && !isOwed && socket.writableLength === 0 && nowMs >= first.untilMs;
}

module.exports = { Drain, outlivePrimary, watchRawServers };
