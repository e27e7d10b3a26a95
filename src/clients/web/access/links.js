/** The tokens in the links that sign in: each works once, and for ten minutes. */
import { digestOf, isDigestOf, makeSecret } from './secrets.js';

export const LINK_MS = 10 * 60_000;
/** More than anybody prints within that time; the oldest is forgotten first. */
const MAX_LINKS = 10;

/** @typedef {'ok' | 'used' | 'expired' | 'unknown'} Verdict */

export class Links {
  /** @type {{digest: Buffer, untilMs: number, isUsed: boolean}[]} */
  #links = [];

  /**
   * @param {number} nowMs
   * @returns {string} a token
   */
  issue(nowMs) {
    const token = makeSecret();
    this.#links.push({ digest: digestOf(token), untilMs: nowMs + LINK_MS, isUsed: false });
    if (this.#links.length > MAX_LINKS) this.#links.shift();
    return token;
  }

  /**
   * @param {string} token
   * @param {number} nowMs
   * @returns {Verdict} ok: it is used now
   */
  redeem(token, nowMs) {
    // Each is compared, so that the time says nothing about them.
    const [link] = this.#links.filter(({ digest }) => isDigestOf(digest, token));
    if (!link) return 'unknown';
    if (link.isUsed) return 'used';
    if (nowMs >= link.untilMs) return 'expired';
    link.isUsed = true;
    return 'ok';
  }
}
