/** The primary's side of the agent in one worker: what it reports, and what it is asked. Programs can forge everything. */
import { HEARTBEAT_INTERVAL_MS, QUIET_INTERVAL_MS } from '../../lifecycle/hang-policy.js';
import { isCount } from '../../shared/checks.js';
import { LATENCY_BOUNDS_MS } from '../../shared/latency.js';
import { channelTo, GRACE_MS } from './channel.js';
import { within } from '../../shared/deadline.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Spec } from '../../config/spec.js'
 * @import { ListenFault, TelemetryReport } from '../../protocol/shapes.js'
 * @import { Message } from './channel.js'
 * @import { NewListener } from './listeners.js'
 * @import { WorkerPool } from '../pool/pool.js'
 *
 * @typedef {object} Load of a worker
 * @property {number} bytes of memory (RSS)
 * @property {number} open requests in progress
 * @property {number} oldestMs how long the oldest of them has had no answer
 * @property {number} answered requests, since it started
 * @property {number} errors 5xx among them
 */

/** Characters of JSON. */
const MAX_REPORT = 64 * 1024;
/** No address or path is longer. */
const MAX_ADDRESS = 300;

export class AgentLink {
  /** At its last heartbeat. @type {Load | null} */
  load = null;
  /** The latest measurements. @type {TelemetryReport | null} */
  report = null;
  /** In the reports since the last one that was read: one that comes too late for a request may never be. */
  #longestDelayMs = 0;

  /** @param {ChildProcess} child */
  constructor(child) {
    this.channel = channelTo(child);
    const { channel } = this;
    channel.on('beat', ({ load }) => (this.load = readLoad(load, this.load) ?? this.load));
    channel.on('telemetry', ({ report }) => {
      // The daemon gets all reports in one message.
      if ((JSON.stringify(report) ?? '').length > MAX_REPORT) return;
      const { maxMs } = report?.delay ?? {};
      if (Number.isFinite(maxMs)) this.#longestDelayMs = Math.max(this.#longestDelayMs, maxMs);
      this.report = report && {
        ...report,
        delay: { ...report.delay, maxMs: this.#longestDelayMs },
      };
    });
  }

  /** @returns {TelemetryReport | null} with the longest delay of the event loop since the last call */
  takeReport() {
    this.#longestDelayMs = 0;
    return this.report;
  }

  /** False if the program closed the channel: then its event loop cannot be judged. */
  get isConnected() {
    return this.channel.child.connected;
  }

  /** Sends in advance what it reports, and what it must do if this primary is killed. @param {Spec} spec */
  prepare(spec) {
    const { drainTimeoutMs, killTimeoutMs, keepAliveTimeoutMs: keepAliveMs } = spec;
    const end = { drainTimeoutMs, killTimeoutMs, signal: killSignalOf(spec) };
    this.channel.send('prepare', { end, keepAliveMs, boundsMs: LATENCY_BOUNDS_MS });
    this.setPace(spec);
  }

  /** Of its heartbeats. @param {Spec} spec */
  setPace({ hangTimeoutMs }) {
    const quietMs = hangTimeoutMs === null ? QUIET_INTERVAL_MS : HEARTBEAT_INTERVAL_MS;
    this.channel.send('pace', { everyMs: HEARTBEAT_INTERVAL_MS, quietMs });
  }

  /**
   * The channel keeps the order of messages: when the agent replies 'settled', it has refused every connection that was
   * sent earlier, and another worker has it.
   * @param {Spec} spec
   * @param {'keep' | 'close'} idle what to do about connections without a request
   * @returns {Promise<number | null>} connections that were still open at the end; null: it did not answer
   */
  async drain(spec, idle) {
    const { drainTimeoutMs: timeoutMs } = spec;
    const limits = { reply: 'drained', timeoutMs: timeoutMs + GRACE_MS };
    const reply = await this.channel.ask('drain', { timeoutMs, idle }, limits);
    if (reply === null) return null;
    await this.channel.ask('settle', { signal: killSignalOf(spec) }, { reply: 'settled' });
    return typeof reply.open === 'number' ? reply.open : null;
  }
}

/** @param {Message} message @returns {NewListener} */
export function readListener({ name, protocol, isChosen }) {
  const isHttp = protocol === 'http' || protocol === 'https';
  const own = { protocol: isHttp ? protocol : null, isChosen: isChosen === true };
  return { address: readText(name), ...own };
}

/** @param {Message} message @returns {ListenFault} */
export function readFault({ code, address, port }) {
  return {
    kind: 'listen',
    errno: readText(code),
    ...(typeof address === 'string' && { address: readText(address) }),
    // Of a unix socket it is -1.
    ...(typeof port === 'number' && port >= 0 && { port }),
  };
}

/** As a copy: a slice alone would keep the whole string in memory. @param {unknown} value */
export function readText(value) {
  return Buffer.from(String(value).slice(0, MAX_ADDRESS)).toString();
}

/**
 * Null: it says nothing of that.
 * @param {any} load
 * @param {Load | null} before for memory that is not known now
 */
function readLoad(load, before) {
  const { bytes = before?.bytes, open, oldestMs, answered, errors } = load ?? {};
  const counts = { bytes, open, oldestMs, answered, errors };
  return Object.values(counts).every(isCount) ? counts : null;
}

/** @param {Spec} spec @returns {Spec['killSignal'] | null} null: a message stops the worker */
function killSignalOf({ shutdownWithMessage, killSignal }) {
  return shutdownWithMessage ? null : killSignal;
}

/** When an agent has not replied by then, its previous report is used. */
const REPLY_TIMEOUT_MS = 250;
const MAX_LEASE_MS = 300_000;

/** @param {WorkerPool} pool @param {{leaseMs: number}} params how long its workers measure: see methods.d.ts */
export async function requestTelemetry({ workers }, { leaseMs: requested }) {
  const leaseMs = Math.min(Math.max(0, requested), MAX_LEASE_MS);
  const agents = workers.flatMap(({ pid, agent }) => (pid && agent ? [{ pid, agent }] : []));
  const replies = agents.map(({ agent }) => agent.channel.askOnce('telemetry', { leaseMs }));
  await within(Promise.all(replies), REPLY_TIMEOUT_MS);
  return {
    workers: agents.flatMap(({ pid, agent }) => {
      const report = leaseMs > 0 ? agent.takeReport() : agent.report;
      return report ? [{ pid, report }] : [];
    }),
  };
}
