/** The commands of one app, one after another. */
import { NodeclusterError } from '../../errors/error.js';

export class Lane {
  #app;
  /** @type {string[]} what runs and what waits, in order */
  #kinds = [];
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {string} app its name */
  constructor(app) {
    this.#app = app;
  }

  /** @returns {string | null} what runs now */
  get doing() {
    return this.#kinds[0] ?? null;
  }

  /** @returns {Promise<unknown>} when all that was asked until now is done */
  get settled() {
    return this.#last;
  }

  /**
   * A second reload would only repeat the first, so it is refused; everything else waits.
   * @param {string} kind
   * @throws {NodeclusterError} E_APP_BUSY
   */
  check(kind) {
    if (kind !== 'reload' || !this.#kinds.includes(kind)) return;
    throw new NodeclusterError('E_APP_BUSY', { app: this.#app, doing: kind });
  }

  /**
   * @template T
   * @param {string} kind
   * @param {() => Promise<T>} command
   * @returns {Promise<T>} what the command comes to, when its turn has come
   * @throws {NodeclusterError} E_APP_BUSY
   */
  async run(kind, command) {
    this.check(kind);
    this.#kinds.push(kind);
    const turn = this.#last.then(command);
    this.#last = turn.catch(() => {}).then(() => this.#kinds.shift());
    return turn;
  }
}
