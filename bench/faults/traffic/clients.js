/**
 * Clients that send one request after another until they are stopped. Nothing is sent twice, and
 * failures are counted but do not stop a client.
 */

/** A request without an answer by then counts as unanswered. */
export const ANSWER_MS = 15_000;
/** Pause between two requests of a client: the supervisor is measured, not the client. */
const THINK_MS = 5;
const MESSAGES_KEPT = 3;

/**
 * @typedef {object} GroupOutcome the outcome of requests that were sent together; a single one returns
 *   nothing
 * @property {string[]} answered ids
 * @property {string[]} unanswered as the protocol allows: after `Connection: close`
 * @property {string[]} lost
 *
 * @typedef {(id: string) => Promise<void | unknown | GroupOutcome>} SendRequest throws when it failed
 * @typedef {{requests: SendRequest[], close: () => unknown}} Client requests in turn
 */

export class ClientGroup {
  made = 0;
  failed = 0;
  withoutAnswer = 0;
  /** @type {string[]} ids, of what was asked together */
  unanswered = [];
  /** @type {string[]} the same */
  lost = [];
  /** @type {string[]} of the first failures */
  messages = [];
  #stopping = false;

  /** @param {() => Client} begin @param {{clients: number, prefix: string}} options */
  constructor(begin, { clients, prefix }) {
    this.loops = Array.from({ length: clients }, (_, at) => this.#loop(begin(), `${prefix}/${at}`));
  }

  /** Waits for the answers to all requests that were sent. */
  async stop() {
    this.#stopping = true;
    await Promise.all(this.loops);
  }

  /** @param {Client} client @param {string} prefix */
  async #loop({ requests, close }, prefix) {
    for (let number = 0; !this.#stopping; number++) {
      await this.#sendOnce(requests[number % requests.length], `${prefix}-${number}`);
      await new Promise((resolve) => setTimeout(resolve, THINK_MS));
    }
    close();
  }

  /** @param {SendRequest} send @param {string} id */
  async #sendOnce(send, id) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, ANSWER_MS, LATE)));
    const outcome = await Promise.race([send(id).catch(failure), late]);
    clearTimeout(timer);
    const isGroup = typeof outcome === 'object' && outcome !== null && 'lost' in outcome;
    if (isGroup) return this.#countGroup(/** @type {GroupOutcome} */ (outcome));
    this.made++;
    if (outcome === LATE) this.withoutAnswer++;
    else if (outcome instanceof Failure) this.#fail(1, `${id}: ${outcome.message}`);
  }

  /** @param {GroupOutcome} several */
  #countGroup({ answered, unanswered, lost }) {
    this.made += answered.length + unanswered.length + lost.length;
    this.unanswered.push(...unanswered);
    this.lost.push(...lost);
    if (lost.length > 0) this.#fail(lost.length, `${lost.join(' ')}: cut`);
  }

  /** @param {number} count @param {string} message */
  #fail(count, message) {
    this.failed += count;
    if (this.messages.length < MESSAGES_KEPT) this.messages.push(message);
  }
}

const LATE = Symbol('no answer');

class Failure {
  /** @param {string} message */
  constructor(message) {
    this.message = message;
  }
}

/** @param {Error} error */
function failure(error) {
  return new Failure(error.message);
}
