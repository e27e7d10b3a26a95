/**
 * A load generator: clients that send one request after the other, each with an id that the answer
 * must repeat. Every failure is counted, and the first ones are stored with their code. No request
 * is ever repeated.
 */
import { Agent, request } from 'node:http';
import { within } from './until.js';

/** @import { ClientRequest } from 'node:http' */

const FAILURES_KEPT = 5;
/** Faster clients take the machine from what is tested. */
const THINK_MS = 20;

/**
 * @typedef {object} LoadOptions
 * @property {number} port
 * @property {string} [host]
 * @property {string} [path]
 * @property {number} [clients] number of concurrent clients
 * @property {boolean} [manyAddresses] each client has its own one, so that sticky scheduling uses all
 *   workers. Only on Linux, where the whole of 127.0.0.0/8 is local
 * @property {boolean} [keepAlive] false: a connection for each request
 * @property {boolean} [anyAnswer] the program knows nothing of ids: every status below 400 is good
 * @property {string} [prefix] of the ids, to distinguish several loads
 * @property {number} [thinkMs] pause of a client between two requests; default: 20
 * @property {number} [timeoutMs] a request without an answer by then has failed
 * @property {number} [failuresKept] number of failures to store; all are counted
 *
 * @typedef {object} Failure
 * @property {string} id
 * @property {string} code
 * @property {string} message
 * @property {boolean} reused its connection had served another request before
 * @property {number} [localPort] undefined: it was never connected
 * @property {number} askedAt epoch, in milliseconds
 * @property {number} failedAt
 */

/**
 * A load in a test, which ends with it at the latest.
 * @param {{teardown: (fn: () => unknown) => void}} t a tap test
 * @param {LoadOptions} options
 */
export function startLoad(t, options) {
  const load = generateLoad(options);
  t.teardown(() => load.stop());
  return load;
}

/**
 * One on kept connections and one that connects for each request.
 * @param {Parameters<typeof startLoad>[0]} t
 * @param {LoadOptions} options
 */
export function startBothLoads(t, options) {
  const loads = [true, false].map((keepAlive) => startLoad(t, { ...options, keepAlive }));
  return {
    /** @param {number} count of more requests that each must get answered */
    answers: (count) => Promise.all(loads.map((load) => load.answers(count))),
    async stop() {
      const [kept, short] = await Promise.all(loads.map((load) => load.stop()));
      return {
        made: kept.made + short.made,
        failed: kept.failed + short.failed,
        failures: [...kept.failures, ...short.failures],
        codes: { ...kept.codes, ...short.codes },
      };
    },
  };
}

/** @param {LoadOptions} options */
export function generateLoad(options) {
  const { clients = 10, keepAlive = true } = options;
  const state = new LoadState(options.failuresKept ?? FAILURES_KEPT);
  const agents = Array.from({ length: clients }, () =>
    keepAlive ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined,
  );
  const loops = agents.map((agent, index) => clientLoop(state, options, index, agent));
  return {
    state,
    /** @param {number} count waits until this many more requests were answered */
    answers: (count) => within(state.answered(count), `${count} answers`),
    /** Waits for the answers to all requests that were sent, then closes the connections. */
    async stop() {
      state.stopping = true;
      await Promise.all(loops);
      for (const agent of agents) agent?.destroy();
      const { made, failed, failures, codes } = state;
      return { made, failed, failures, codes };
    },
  };
}

class LoadState {
  made = 0;
  good = 0;
  failed = 0;
  stopping = false;
  /** The longest time without a good answer since this was last set to 0, in milliseconds. */
  longestGapMs = 0;
  /** The longest time from a request to its good answer, in milliseconds. */
  longestWaitMs = 0;
  /** Called when a worker answers for the first time. */
  onNewPid = (/** @type {number} */ _pid) => {};
  #lastGoodMs = performance.now();
  /** @type {Record<string, number>} how many failed with which code */
  codes = {};
  /** @type {Failure[]} the first ones */
  failures = [];
  /** @type {Map<number, number>} how many answers came from which worker */
  pids = new Map();
  /** @type {{at: number, resolve: () => void}[]} */
  #waiting = [];

  /** @param {number} failuresKept */
  constructor(failuresKept) {
    this.failuresKept = failuresKept;
  }

  /** @param {number} count @returns {Promise<void>} */
  answered(count) {
    return new Promise((resolve) => this.#waiting.push({ at: this.good + count, resolve }));
  }

  /** @param {Failure} failure */
  fail(failure) {
    this.failed++;
    this.codes[failure.code] = (this.codes[failure.code] ?? 0) + 1;
    if (this.failures.length < this.failuresKept) this.failures.push(failure);
  }

  /** @param {{pid?: number, waitedMs: number}} good */
  answer({ pid, waitedMs }) {
    this.good++;
    this.longestWaitMs = Math.max(this.longestWaitMs, waitedMs);
    const nowMs = performance.now();
    this.longestGapMs = Math.max(this.longestGapMs, nowMs - this.#lastGoodMs);
    this.#lastGoodMs = nowMs;
    if (pid !== undefined) this.#countPid(pid);
    const due = this.#waiting.filter(({ at }) => at <= this.good);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.good);
    for (const { resolve } of due) resolve();
  }

  /** @param {number} pid */
  #countPid(pid) {
    const isNew = !this.pids.has(pid);
    this.pids.set(pid, (this.pids.get(pid) ?? 0) + 1);
    if (isNew) this.onNewPid(pid);
  }
}

/**
 * @param {LoadState} state
 * @param {LoadOptions} options
 * @param {number} index
 * @param {Agent} [agent]
 */
async function clientLoop(state, options, index, agent) {
  for (let number = 0; !state.stopping; number++) {
    const id = `${options.prefix ?? ''}${index}-${number}`;
    state.made++;
    const localAddress = options.manyAddresses ? clientAddress(index) : undefined;
    const outcome = await ask({ ...options, localAddress }, id, agent);
    if ('waitedMs' in outcome) state.answer(outcome);
    else state.fail(outcome);
    await new Promise((resolve) => setTimeout(resolve, options.thinkMs ?? THINK_MS));
  }
}

/** @param {number} index of a client @returns {string | undefined} its own address */
export function clientAddress(index) {
  return process.platform === 'linux' ? `127.0.1.${1 + (index % 254)}` : undefined;
}

/**
 * @param {LoadOptions & {localAddress?: string}} options
 * @param {string} id
 * @param {Agent} [agent]
 * @returns {Promise<Failure | {pid?: number, waitedMs: number}>}
 */
function ask(options, id, agent) {
  const { port, host = '127.0.0.1', path = '/', localAddress, timeoutMs = 30_000 } = options;
  return new Promise((resolve) => {
    const headers = { 'x-request-id': id, ...(agent ? {} : { connection: 'close' }) };
    const asked = request({ port, host, path, localAddress, agent: agent ?? false, headers });
    const askedAt = Date.now();
    const localPort = portOf(asked);
    /** @param {string} code @param {string} message */
    const fail = (code, message) => {
      clearTimeout(timer);
      const when = { askedAt, failedAt: Date.now(), localPort: localPort() };
      resolve({ id, code, message: message.slice(0, 200), reused: asked.reusedSocket, ...when });
      asked.destroy();
    };
    const timer = setTimeout(() => fail('NO_ANSWER', `none in ${timeoutMs} ms`), timeoutMs);
    asked.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      fail(error.code ?? error.name, error.message),
    );
    asked.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('error', (error) => fail('CUT', error.message));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (options.anyAnswer ? status >= 400 : status !== 200) return fail(`HTTP_${status}`, body);
        if (!options.anyAnswer && response.headers['x-request-id'] !== id) {
          return fail('WRONG_ANSWER', body);
        }
        clearTimeout(timer);
        resolve({ pid: pidIn(body), waitedMs: Date.now() - askedAt });
      });
    });
    asked.end();
  });
}

/**
 * Remembers the local port, which a closed connection no longer knows.
 * @param {ClientRequest} asked
 */
function portOf(asked) {
  /** @type {number | undefined} */
  let port;
  asked.once('socket', (socket) => {
    const keep = () => (port = socket.localPort);
    if (socket.connecting) socket.once('connect', keep);
    else keep();
  });
  return () => port;
}

/** @param {string} body */
function pidIn(body) {
  const found = /"pid":\s*(\d+)/.exec(body);
  return found ? Number(found[1]) : undefined;
}
