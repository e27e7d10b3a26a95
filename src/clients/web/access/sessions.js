/** Who is signed in. A session needs the cookie and the key: browsers send a cookie to every port of a host. */
import { digestOf, isDigestOf, makeSecret } from './secrets.js';

const IDLE_MS = 12 * 3_600_000;
const MAX_AGE_MS = 7 * 24 * 3_600_000;
/** The session that was not used for longest ends first. */
const MAX_SESSIONS = 20;

/** @typedef {{key: Buffer, beganMs: number, usedMs: number}} Session key: its digest */

export class Sessions {
  /** By the digest of the cookie, the one that was used last at the end. @type {Map<string, Session>} */
  #sessions = new Map();

  /**
   * @param {number} nowMs
   * @returns {{cookie: string, key: string}}
   */
  begin(nowMs) {
    const [cookie, key] = [makeSecret(), makeSecret()];
    this.#sessions.set(nameOf(cookie), { key: digestOf(key), beganMs: nowMs, usedMs: nowMs });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS) this.#sessions.delete(oldest);
    return { cookie, key };
  }

  /**
   * @param {string | null} cookie
   * @param {string | null} key
   * @param {number} nowMs
   * @returns {boolean} whether they belong to a session, which counts as used now
   */
  use(cookie, key, nowMs) {
    if (cookie === null || key === null) return false;
    const name = nameOf(cookie);
    const session = this.#sessions.get(name);
    if (!session || !isDigestOf(session.key, key)) return false;
    this.#sessions.delete(name);
    if (nowMs - session.usedMs >= IDLE_MS || nowMs - session.beganMs >= MAX_AGE_MS) return false;
    this.#sessions.set(name, { ...session, usedMs: nowMs });
    return true;
  }

  /** @param {string} cookie */
  end(cookie) {
    this.#sessions.delete(nameOf(cookie));
  }
}

/** @param {string} cookie */
function nameOf(cookie) {
  return digestOf(cookie).toString('base64');
}
