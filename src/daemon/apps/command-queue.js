/** The commands of one app, one after another, and how many tasks a daemon has in progress at a time. */
import { NodeclusterError } from '../../errors/error.js';
import { availableCores } from '../cgroups.js';

/** Commands of one app, which clients can send faster than they are carried out. */
const MAX_COMMANDS = 100;
/** The daemon's own command, which brings back a primary. */
export const RECOVERY = 'recovery';

export class CommandQueue {
  #app;
  /** The running command and the waiting ones, in order. @type {string[]} */
  #names = [];
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {{name: string}} app */
  constructor(app) {
    this.#app = app;
  }

  get current() {
    return this.#names[0] ?? null;
  }

  /** Every command that is in the queue now. */
  whenDone() {
    return this.#last;
  }

  /**
   * Runs it in its turn.
   * @template T
   * @param {string} name @param {() => Promise<T>} command
   * @throws {NodeclusterError} E_APP_BUSY
   */
  async run(name, command) {
    const waiting = this.#names.length;
    if (name !== RECOVERY && waiting >= MAX_COMMANDS)
      throw new NodeclusterError('E_APP_BUSY', { app: this.#app.name, waiting });
    this.#names.push(name);
    const turn = this.#last.then(command);
    this.#last = turn.catch(() => {}).then(() => this.#names.shift());
    return turn;
  }
}

/**
 * For each core. A reload mostly waits for `min_uptime`, which costs no CPU: of eight small apps on two cores it takes 6.7 s
 * with 1, 4.5 s with 2 and 2.7 s with 4. More would let programs that load slowly miss their `listen_timeout`. A start
 * counts only while its program loads.
 */
const APPS_PER_CORE = 4;

export function limitPerCore() {
  return limitTo(APPS_PER_CORE * availableCores());
}

/**
 * Runs that many tasks at a time, in the order in which they came.
 * @param {number} count @returns {<T>(task: (leave: () => void) => Promise<T>) => Promise<T>} leave: it goes on, and counts no more
 */
export function limitTo(count) {
  let free = count;
  /** @type {(() => void)[]} */
  const waiting = [];
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
    try {
      return await task(leave);
    } finally {
      leave();
    }
  };
}
