/** The primary's side of the agent in one worker. */
import { within } from '../../shared/deadline.js';
import { AGENT_CMD } from './agent-reports.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Spec } from '../../config/spec.js'
 * @import { ServerSign } from '../../lifecycle/readiness.js'
 * @import { Proxy, TelemetryReport } from '../../protocol/shapes.js'
 */

/** Added to an agent's own deadline, since its event loop may be busy. */
const GRACE_MS = 1000;
/** Characters of JSON. */
const MAX_REPORT = 64 * 1024;

/**
 * @typedef {object} TelemetryOrder
 * @property {number} leaseMs how long it keeps measuring without a further request
 * @property {readonly number[]} boundsMs of the latency histogram
 */

/**
 * @typedef {object} HealthOrder
 * @property {string} path with its query
 * @property {string} host for the header
 * @property {number | null} port of the server; null: the first one that listens
 * @property {number} timeoutMs
 *
 * @typedef {{status: number, body: string} | {error: string}} HealthReply `error`: `timeout`,
 *   `closed` or a text. Programs can forge it
 */

/**
 * @param {ChildProcess} child whose agent may accept from now on
 * @param {string} key of the address, as node:cluster names it
 */
export function letServe(child, key) {
  // If the channel breaks meanwhile, channel.js notices.
  if (child.connected) child.send({ cmd: AGENT_CMD, type: 'serve', key }, () => {});
}

/**
 * Programs can forge the replies.
 * @param {ChildProcess} child with an agent, in cluster mode or in fork mode
 * @param {number} timeoutMs
 * @returns {Promise<string | null>} the signal that its program handles; null: no reply
 */
export async function askStopSignal(child, timeoutMs) {
  const { signal } = (await askAgent(child, 'stop-signal', { timeoutMs })) ?? {};
  return typeof signal === 'string' ? signal : null;
}

/**
 * @param {ChildProcess} child in fork mode, which has not listened so far
 * @param {number} timeoutMs
 * @returns {Promise<ServerSign>} also 'unknown' if there is no agent, or no reply
 */
export async function askServerSign(child, timeoutMs) {
  return readSign((await askAgent(child, 'server-sign', { timeoutMs })) ?? {});
}

/**
 * Programs can forge the reply.
 * @param {ChildProcess} child with an agent, in cluster mode or in fork mode
 * @param {string} type of the request and of its reply
 * @param {{timeoutMs?: number, data?: object}} [options] data: of the request
 * @returns {Promise<Record<string, unknown> | null>} null: no reply
 */
export async function askAgent(child, type, { timeoutMs = GRACE_MS, data } = {}) {
  if (!child.connected) return null;
  /** @type {(message: any) => void} */
  let onMessage = () => {};
  /** @type {Promise<Record<string, unknown>>} */
  const reply = new Promise((resolve) => {
    onMessage = (message) => {
      if (message?.cmd === AGENT_CMD && message.type === type) resolve(message);
    };
  });
  child.on('internalMessage', onMessage);
  child.send({ cmd: AGENT_CMD, type, ...data }, () => {});
  try {
    return await within(reply, timeoutMs);
  } finally {
    child.off('internalMessage', onMessage);
  }
}

/**
 * @param {ChildProcess} child as above
 * @param {() => void} onClosed when its event loop has turned, however late
 */
export function requestClosedInspector(child, onClosed) {
  if (!child.connected) return;
  const onMessage = (/** @type {any} */ message) => {
    if (message?.cmd !== AGENT_CMD || message.type !== 'close-inspector') return;
    child.off('internalMessage', onMessage);
    onClosed();
  };
  child.on('internalMessage', onMessage);
  child.send({ cmd: AGENT_CMD, type: 'close-inspector' }, () => {});
}

export class AgentLink {
  /** What passes requests on to the worker. @type {Proxy | null} */
  proxy = null;
  /** It shares a port that the program asked for with `exclusive: true`. */
  sharesExclusive = false;
  /** The latest measurements. @type {TelemetryReport | null} */
  report = null;
  /** The latest ones. @type {{activeMs: number, idleMs: number} | null} */
  loopTimes = null;
  /** Requests without a reply so far. @type {Map<string, Promise<Record<string, any>>>} */
  #asked = new Map();
  /** @type {number | null} */
  #requestLimit = null;
  /** @type {Map<string, (reply: Record<string, any>) => void>} */
  #pending = new Map();

  /** @param {ChildProcess} child */
  constructor(child) {
    this.child = child;
    child.on('internalMessage', (message) => {
      if (message?.cmd !== AGENT_CMD) return;
      const { type, report } = message;
      if (type === 'telemetry' && isSmall(report)) this.report = report;
      if (type === 'loop-times') this.loopTimes = readLoopTimes(message);
      if (type === 'proxied') this.proxy = readProxy(message);
      if (type === 'shares') this.sharesExclusive = true;
      this.#pending.get(type)?.(message);
    });
  }

  /** False if the program closed the channel: then its event loop cannot be judged. */
  get isConnected() {
    return this.child.connected;
  }

  /** @param {number} everyMs between two beats */
  requestBeats(everyMs) {
    this.#send('beat', { everyMs });
  }

  /**
   * @param {TelemetryOrder} order
   * @returns {Promise<void>} when `report` is new, or the worker is dead
   */
  async requestTelemetry(order) {
    if (this.isConnected) await this.#askOnce('telemetry', order);
  }

  /** @returns {Promise<void>} when `loopTimes` are new, or the worker is dead */
  async requestLoopTimes() {
    if (this.isConnected) await this.#askOnce('loop-times', {});
  }

  /** @returns {Promise<ServerSign>} when its event loop turns, or the worker is dead */
  async askServerSign() {
    return readSign(await this.#askOnce('server-sign', {}));
  }

  /** @param {number | null} [timeoutMs] how long idle connections stay open; null: as Node does */
  setKeepAlive(timeoutMs = null) {
    if (timeoutMs !== null) this.#send('keep-alive', { timeoutMs });
  }

  /** @param {number | null} limit answered requests after which it reports; null: none */
  limitRequests(limit) {
    if (limit === this.#requestLimit) return;
    this.#requestLimit = limit;
    this.#send('limit-requests', { limit });
  }

  /**
   * @param {HealthOrder} order
   * @returns {Promise<HealthReply | null>} null: no reply, so its event loop is blocked
   */
  async checkHealth(order) {
    if (!this.isConnected) return { error: 'the program has closed the channel to its parent' };
    const reply = await within(this.#askOnce('health', order), order.timeoutMs + GRACE_MS);
    return /** @type {HealthReply | null} */ (reply);
  }

  /**
   * Sends in advance what the agent must do if this primary is killed.
   * @param {Spec} spec
   */
  prepareForPrimaryDeath(spec) {
    const { drainTimeoutMs, killTimeoutMs } = spec;
    this.#send('outlive', { end: { drainTimeoutMs, killTimeoutMs, signal: killSignalOf(spec) } });
  }

  /**
   * The channel keeps the order of messages. So when the agent has replied 'settled', it has refused
   * every connection that round-robin sent earlier, and another worker has it.
   * @param {Spec} spec
   * @param {'keep' | 'close'} idle what to do about connections without a request
   * @returns {Promise<number | null>} connections that were still open at the end; null: it did not answer
   */
  async drain(spec, idle) {
    const timeoutMs = spec.drainTimeoutMs;
    const drained = this.#reply('drained');
    this.#send('drain', { timeoutMs, idle });
    const reply = await within(drained, timeoutMs + GRACE_MS);
    if (reply === null) return null;
    const settled = this.#reply('settled');
    this.#send('settle', { signal: killSignalOf(spec) });
    await within(settled, GRACE_MS);
    return typeof reply.open === 'number' ? reply.open : null;
  }

  /** The channel is closed: pending requests get an empty reply. */
  close() {
    for (const resolve of this.#pending.values()) resolve({});
  }

  /**
   * Sends nothing while a reply is pending: requests would pile up for a blocked event loop.
   * @param {string} type @param {object} order
   */
  #askOnce(type, order) {
    const pending = this.#asked.get(type);
    if (pending) return pending;
    const reply = this.#reply(type);
    this.#asked.set(type, reply);
    reply.then(() => this.#asked.delete(type));
    this.#send(type, order);
    return reply;
  }

  /** @param {string} type @returns {Promise<Record<string, any>>} */
  #reply(type) {
    return new Promise((resolve) => this.#pending.set(type, resolve));
  }

  /** @param {string} type @param {object} data */
  #send(type, data) {
    if (!this.child.connected) return this.close();
    this.child.send({ cmd: AGENT_CMD, type, ...data }, (error) => error && this.close());
  }
}

/** Programs can forge it. @param {Record<string, unknown>} message @returns {ServerSign} */
function readSign({ sign }) {
  return sign === 'server' || sign === 'none' ? sign : 'unknown';
}

/** Programs can forge it. @param {Record<string, unknown>} message @returns {Proxy} */
function readProxy({ header, keepAliveMs }) {
  return { header: String(header).slice(0, 20), keepAliveMs: Number(keepAliveMs) || 0 };
}

/** Programs can forge them. @param {Record<string, unknown>} message */
function readLoopTimes({ activeMs, idleMs }) {
  const isKnown = Number.isFinite(activeMs) && Number.isFinite(idleMs);
  return isKnown ? { activeMs: Number(activeMs), idleMs: Number(idleMs) } : null;
}

/** Programs can forge a report, and the daemon gets them all in one message. @param {unknown} report */
function isSmall(report) {
  return (JSON.stringify(report) ?? '').length <= MAX_REPORT;
}

/** @param {Spec} spec @returns {Spec['killSignal'] | null} null: a message stops the worker */
function killSignalOf({ shutdownWithMessage, killSignal }) {
  return shutdownWithMessage ? null : killSignal;
}
