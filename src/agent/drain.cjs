'use strict';
/**
 * How a worker stops serving without losing a request: stop accepting → make every response the
 * last of its connection → wait for the connections to close → report to the primary → stay until
 * the primary has noted it, so that connections it sent meanwhile can be refused.
 */
const net = require('node:net');
const { chooseStopSignal } = require('./answers.cjs');
const { send } = require('./channel.cjs');
const guard = require('./guard.cjs');
const { goAway, closeAfterResponses } = require('./last-responses.cjs');
const { RawConnections } = require('./raw-connections.cjs');
const { countConnections } = require('./servers.cjs');
const { ignoreClosedChannel } = require('./standard-streams.cjs');

const { asProgram, clearInterval, guarded, now, replace, setImmediate } = guard;
const { setInterval, setTimeout } = guard;

/**
 * @import { Worker } from 'node:cluster'
 * @import { Servers, TrackedServer } from './servers.cjs'
 */

/** Between two counts of the connections. */
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
    this.raw = new RawConnections();
    /** @param {number} open connections */
    this.report = (open) => send('drained', { open });
  }

  /** @param {() => void} callback instead of the report to the primary; at once if already drained */
  onDrained(callback) {
    if (this.isDrained) callback();
    else this.report = callback;
  }

  /**
   * @param {{timeoutMs?: number, idle?: 'keep' | 'close'}} order `idle: 'close'`: no other worker
   *   follows, so connections without a request are closed
   */
  begin({ timeoutMs = 30_000, idle = 'keep' }) {
    if (this.timer || this.isDrained) return;
    this.draining = [...this.servers.listening];
    closeAfterResponses(this.draining);
    this.draining.forEach(guarded(stopAccepting));
    for (const session of this.servers.http2Sessions) goAway(session);
    // For connections still in their TLS handshake.
    this.servers.onSession.add(goAway);
    this.startedMs = now();
    const deadline = this.startedMs + timeoutMs;
    this.timer = setInterval(() => this.#check(deadline, idle), CHECK_INTERVAL_MS);
    const check = guarded(() => this.#check(deadline, idle));
    for (const server of this.draining) server.once('close', check);
    this.#check(deadline, idle);
  }

  /**
   * The primary has noted that this worker is drained, and everything it sent before has arrived.
   * With its servers closed the program might exit now, so it is kept alive until the handler of
   * `kill_signal` has run.
   * @param {{signal: NodeJS.Signals | 'auto' | null}} next how the primary asks it to exit; null: by
   *   a message
   */
  settle({ signal: killSignal }) {
    const release = () => clearInterval(this.timer);
    const signal = killSignal && chooseStopSignal(killSignal);
    if (signal === null) release();
    // Without a listener the default action ends the process; adding one would prevent that.
    else if (process.listenerCount(signal) > 0) process.once(signal, guarded(release));
    send('settled');
  }

  /** @param {number} deadline @param {'keep' | 'close'} idle */
  #check(deadline, idle) {
    const closesIdle = idle === 'close' && now() - this.startedMs >= IDLE_GRACE_MS;
    if (closesIdle) for (const server of this.draining) server.closeIdleConnections?.();
    const open = this.draining.reduce(
      (sum, server) => sum + countConnections(server),
      this.countUndecided() - this.raw.countIdle(this.draining),
    );
    if (this.isDrained || (open > 0 && now() < deadline)) return;
    this.isDrained = true;
    this.report(open);
  }
}

/**
 * With the close of net, because that of http resets idle connections whose next request may be on
 * its way. The program's own shutdown may call server.close() again, and must not get an error.
 * @param {TrackedServer} server
 */
function stopAccepting(server) {
  let isClosed = false;
  server.once('close', () => (isClosed = true));
  net.Server.prototype.close.call(server);
  /** @this {TrackedServer} @param {unknown} callback */
  const close = function (callback) {
    this.closeIdleConnections?.();
    if (typeof callback === 'function') {
      if (isClosed) setImmediate(() => asProgram(() => callback()));
      else this.once('close', () => callback());
    }
    return this;
  };
  replace(server, 'close', close);
}

/**
 * When the primary dies, node:cluster would end the worker at once, with every request in flight.
 * Here the worker finishes them and then exits as if the primary had stopped it.
 */

/**
 * @typedef {object} End what the primary orders for this case
 * @property {number} drainTimeoutMs
 * @property {number} killTimeoutMs
 * @property {NodeJS.Signals | 'auto' | null} signal that asks the program to exit; null: a message does
 */

/** @param {Worker} worker @param {Drain} drain @param {End} end */
function outlivePrimary(worker, drain, { drainTimeoutMs, ...end }) {
  const onDisconnect = guarded(() => {
    // The program called cluster.worker.disconnect().
    if (worker.exitedAfterDisconnect) return;
    // Otherwise node:cluster exits at the end of this event.
    worker.exitedAfterDisconnect = true;
    ignoreClosedChannel();
    drain.onDrained(() => endItself(drain, end));
    drain.begin({ timeoutMs: drainTimeoutMs });
  });
  worker.once('disconnect', onDisconnect);
}

/** @param {Drain} drain @param {Omit<End, 'drainTimeoutMs'>} end */
function endItself(drain, { signal: killSignal, killTimeoutMs }) {
  // Chosen once: settling adds a listener.
  const signal = killSignal && chooseStopSignal(killSignal);
  drain.settle({ signal });
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), killTimeoutMs).unref();
  if (signal === null) asProgram(() => process.emit('message', 'shutdown', undefined));
  else process.kill(process.pid, signal);
}

module.exports = { Drain, outlivePrimary };
