/** What one worker last reported of the registry of its program. */
import { within } from '../../../shared/deadline.js';
import { MAX_LENGTH } from '../families.js';
import { AGENT_CMD } from '../../../primary/worker/agent-reports.js';

/** @import { ChildProcess } from 'node:child_process' */

/** How long the collect functions of the program may take. */
const READ_MS = 1000;
/** Added to that, since the event loop may be busy. */
const GRACE_MS = 250;
const MAX_REASON = 200;

export class WorkerMetrics {
  /** Not parsed yet. Programs can forge it. */
  text = '';
  /** Metrics that did not fit into it. */
  dropped = 0;
  /** Why it could not be read the last time. @type {string | null} */
  failure = null;
  /** Whether `text` is older than the last request. */
  isLate = false;
  #child;
  /** Null: no reply is expected. @type {(() => void) | null} */
  #onReply = null;

  /** @param {ChildProcess} child with an agent, in cluster mode or in fork mode */
  constructor(child) {
    this.#child = child;
    child.on('internalMessage', (message) => {
      if (message?.cmd === AGENT_CMD && message.type === 'program-metrics') this.#read(message);
    });
  }

  /**
   * Sends nothing while a reply is missing: for a blocked event loop requests would pile up, and everyone who
   * reads the metrics would wait for it.
   * @returns {Promise<void>} when there is a reply, or after a deadline
   */
  async ask() {
    if (!this.#child.connected) return;
    this.isLate = true;
    if (!this.#onReply) await within(this.#send(), READ_MS + GRACE_MS);
  }

  /** @returns {Promise<void>} */
  #send() {
    return new Promise((resolve) => {
      this.#onReply = () => {
        this.#onReply = null;
        resolve();
      };
      const order = { timeoutMs: READ_MS, maxLength: MAX_LENGTH };
      this.#child.send({ cmd: AGENT_CMD, type: 'program-metrics', ...order }, (error) => {
        if (error) this.#onReply?.();
      });
    });
  }

  /** @param {Record<string, unknown>} message */
  #read({ text, dropped, failure, isLate }) {
    this.isLate = isLate === true;
    this.failure = typeof failure === 'string' && failure.length <= MAX_REASON ? failure : null;
    if (typeof text === 'string' && text.length <= MAX_LENGTH) {
      this.text = text;
      this.dropped = Number.isSafeInteger(dropped) ? Math.max(0, Number(dropped)) : 0;
    }
    this.#onReply?.();
  }
}
