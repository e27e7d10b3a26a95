/** @import { PrimaryEvent } from '../../protocol/methods.js' */

/** A primary keeps half as many of each app. */
const MAX_EVENTS = 1000;

/** What happened to apps that a primary has and that the daemon does not know yet: a primary sends each event once. */
export class EarlyEvents {
  /** @type {{event: PrimaryEvent, app: string}[]} */
  #kept = [];

  /** @param {PrimaryEvent} event @param {string} app */
  keep(event, app) {
    if (this.#kept.length < MAX_EVENTS) this.#kept.push({ event, app });
  }

  /** @param {string} app that is known from now on */
  takeOf(app) {
    const taken = this.#kept.filter((each) => each.app === app);
    this.#kept = this.#kept.filter((each) => each.app !== app);
    return taken;
  }
}
