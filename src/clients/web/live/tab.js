/** One open page: it gets changes while it reads them, and otherwise a fresh snapshot when it has caught up. */
/**
 * @import { EventWriter } from '../http/event-writer.js'
 * @import { StreamEvents } from '../shapes.js'
 */

export class Tab {
  #writer;
  /** Whether it knows the current state. */
  isCurrent = false;

  /** @param {Pick<EventWriter, 'send' | 'isBehind'>} writer */
  constructor(writer) {
    this.#writer = writer;
  }

  /** @param {() => string} snapshot JSON; called only if it is needed */
  catchUp(snapshot) {
    if (this.isCurrent || this.#writer.isBehind) return;
    this.isCurrent = true;
    this.#writer.send('snapshot', snapshot());
  }

  /**
   * @param {Exclude<keyof StreamEvents, 'snapshot'>} name
   * @param {string} json
   */
  send(name, json) {
    if (!this.isCurrent) return;
    if (this.#writer.isBehind) this.isCurrent = false;
    else this.#writer.send(name, json);
  }
}
