/** The commands of one app, one after another. */
import { NodeclusterError } from '../../errors/error.js';

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

  /** @param {string} app its name */
  constructor(app) {
    this.#app = app;
  }

  /** @returns {string | null} the running command */
  get current() {
    return this.#names[0] ?? null;
  }

  /** @returns {Promise<unknown>} when every command that is in the queue now is done */
  whenDone() {
    return this.#last;
  }

  /**
   * @param {string} name
   * @throws {NodeclusterError} E_APP_BUSY
   */
  check(name) {
    const waiting = this.#names.length;
    if (name === RECOVERY || waiting < MAX_COMMANDS) return;
    throw new NodeclusterError('E_APP_BUSY', { app: this.#app, waiting });
  }

  /**
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} command
   * @returns {Promise<T>} the result of the command, after its turn
   * @throws {NodeclusterError} E_APP_BUSY
   */
  async run(name, command) {
    this.check(name);
    this.#names.push(name);
    const turn = this.#last.then(command);
    this.#last = turn.catch(() => {}).then(() => this.#names.shift());
    return turn;
  }
}
