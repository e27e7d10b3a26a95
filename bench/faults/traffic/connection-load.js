/** An app that records its connections, under load from persistent and from short connections. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateLoad } from '../../../test/support/http-load.js';
import { freePort } from '../../../test/support/ports.js';
import { until, within } from '../../../test/support/until.js';
import { ANSWER_MS } from './clients.js';
import { RESTARTS_UNLIMITED, startApps } from '../supervisors/supervisor.js';

/**
 * @import { Failure } from '../../../test/support/http-load.js'
 * @import { Supervisor } from '../supervisors/supervisor.js'
 */

const PROGRAM = fileURLToPath(new URL('../programs/notes-connections.cjs', import.meta.url));

/** Clients with a persistent connection, and clients that open one for each request. */
const KEPT = 5;
const SHORT = 15;
/** Number of unexpected failures that are printed. */
const SHOWN = 3;
/** A replacement that takes longer than this counts as missing. */
const REPLACEMENT_MS = 60_000;

export class ConnectionLoad {
  name = '';
  port = 0;
  notes = '';
  /** @type {ReturnType<typeof generateLoad>[]} */
  loads = [];
  /** @type {Awaited<ReturnType<ReturnType<typeof generateLoad>['stop']>>[]} */
  ended = [];
  /** @type {number[]} pids that have answered and were not killed, oldest first */
  alive = [];
  /** @type {Map<number, number>} pid → when, epoch in ms */
  killed = new Map();
  acceptsItself = false;
  isSticky = false;
  /** @type {(pid: number) => void} */
  #onNew = () => {};

  /** @param {Supervisor} supervisor @param {string} scheduling */
  async start(supervisor, scheduling) {
    this.name = supervisor.name;
    this.acceptsItself = scheduling === 'fair';
    this.isSticky = scheduling === 'sticky';
    this.port = await freePort();
    this.notes = join(supervisor.root, 'notes');
    const env = { PORT: this.port, NOTES: this.notes };
    const app = { name: 'api', script: PROGRAM, env, ...RESTARTS_UNLIMITED };
    await startApps(supervisor, scheduling, [app]);
  }

  async #begin() {
    const always = {
      port: this.port,
      manyAddresses: this.isSticky,
      thinkMs: 0,
      timeoutMs: ANSWER_MS,
      failuresKept: Infinity,
    };
    this.loads = [
      generateLoad({ ...always, clients: KEPT, prefix: 'kept-' }),
      generateLoad({ ...always, clients: SHORT, prefix: 'short-', keepAlive: false }),
    ];
    for (const { state } of this.loads) state.onNewPid = (pid) => this.#seen(pid);
    await until(() => this.alive.length === 2, 'answers of both workers', REPLACEMENT_MS);
  }

  /** @param {number} pid */
  #seen(pid) {
    if (this.killed.has(pid) || this.alive.includes(pid)) return;
    this.alive.push(pid);
    this.#onNew(pid);
  }

  /**
   * @param {{rounds: number, workers: number, answers: number}} order workers: killed in each round, after so many
   *   more answers to each load
   * @returns {Promise<number[]>} milliseconds to the first answer of the last replacement, of each round
   */
  async killAgain({ rounds, workers, answers }) {
    const times = [];
    try {
      await this.#begin();
      for (let round = 0; round < rounds; round++) {
        await Promise.all(this.loads.map((load) => load.answers(answers)));
        times.push(await this.#kill(workers));
      }
    } finally {
      this.ended = await Promise.all(this.loads.map((load) => load.stop()));
    }
    return times;
  }

  /**
   * Kills the oldest workers, and waits until as many new ones have answered.
   * @param {number} count
   * @returns {Promise<number>} milliseconds to the first answer of the last one
   */
  async #kill(count) {
    const start = performance.now();
    let missing = count;
    const replaced = new Promise((resolve) => {
      this.#onNew = () => (missing -= 1) === 0 && resolve(undefined);
    });
    for (const pid of this.alive.splice(0, count)) {
      this.killed.set(pid, Date.now());
      process.kill(pid, 'SIGKILL');
    }
    await within(replaced, 'the first answer of a replacement', REPLACEMENT_MS);
    return performance.now() - start;
  }

  /** @returns {Record<string, number>} what became of the requests */
  figures() {
    const { ended } = this;
    const { connections, executed } = readNotes(this.notes);
    const failures = ended.flatMap((end) => end.failures);
    const late = failures.filter(({ code }) => code === 'NO_ANSWER');
    const cut = failures.filter((one) => !late.includes(one));
    const inFlight = cut.filter((one) => this.#wasInFlight(one, connections));
    const beyond = cut.filter((one) => !inFlight.includes(one));
    for (const one of [...beyond.slice(0, SHOWN), ...late.slice(0, SHOWN)]) {
      const holder = holderOf(one, connections);
      console.error(
        `${this.name}: lost beyond what was in flight: ${JSON.stringify({ ...one, holder })}`,
      );
    }
    return {
      made: ended.reduce((total, { made }) => total + made, 0),
      inFlight: inFlight.length,
      beyond: beyond.length,
      refused: cut.filter(({ code }) => code === 'ECONNREFUSED').length,
      withoutAnswer: late.length,
      twice: executed.length - new Set(executed).size,
      longestWaitMs: Math.max(...this.loads.map(({ state }) => state.longestWaitMs)),
    };
  }

  /**
   * A worker that accepts by itself may die after it accepted a connection and before it recorded it.
   * Connections that it did not accept stay in the kernel's queue for other workers.
   * @param {Failure} failure
   * @param {Connections} connections
   */
  #wasInFlight(failure, connections) {
    const holder = holderOf(failure, connections);
    if (holder !== 0 || !this.acceptsItself) return this.killed.has(holder);
    const { askedAt, failedAt, code } = failure;
    const times = [...this.killed.values()];
    return code !== 'ECONNREFUSED' && times.some((at) => askedAt <= at && at <= failedAt);
  }
}

/** @typedef {Map<number, {atMs: number, pid: number}[]>} Connections by the client's port */

/** @param {string} file @returns {{connections: Connections, executed: string[]}} */
function readNotes(file) {
  /** @type {Connections} */
  const connections = new Map();
  const executed = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [kind, ...words] = line.split(' ');
    if (kind === 'r') executed.push(words[0]);
    if (kind !== 'c') continue;
    const [atMs, port, pid] = words.map(Number);
    connections.set(port, [...(connections.get(port) ?? []), { atMs, pid }]);
  }
  return { connections, executed };
}

/**
 * @param {Failure} failure
 * @param {Connections} connections a port is used again by later connections
 * @returns {number} the pid of the last worker that had its connection in hand; 0: none had
 */
function holderOf({ localPort, reused, askedAt, failedAt }, connections) {
  const noted = (connections.get(localPort ?? 0) ?? []).filter(
    ({ atMs }) => atMs <= failedAt && (reused || atMs >= askedAt - 1),
  );
  return noted.at(-1)?.pid ?? 0;
}
