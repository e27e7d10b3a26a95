/** Who is signed in. A session needs the cookie and the key: browsers send a cookie to every port of a host. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const IDLE_MS = 12 * 3_600_000;
const MAX_AGE_MS = 7 * 24 * 3_600_000;
/** The session that was not used for longest ends first. */
const MAX_SESSIONS = 20;

/** @typedef {{key: Buffer, beganMs: number, usedMs: number}} Session key: its digest */

export class Sessions {
  /** By the digest of the cookie, the one that was used last at the end. @type {Map<string, Session>} */
  #sessions = new Map();

  /** @param {number} nowMs */
  begin(nowMs) {
    const [cookie, key] = [makeSecret(), makeSecret()];
    this.#sessions.set(nameOf(cookie), { key: digestOf(key), beganMs: nowMs, usedMs: nowMs });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS) this.#sessions.delete(oldest);
    return { cookie, key };
  }

  /**
   * @param {string | null} cookie
   * @param {string} key
   * @param {number} nowMs
   * @returns {boolean} whether they belong to a session, which counts as used now
   */
  use(cookie, key, nowMs) {
    if (cookie === null) return false;
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

/** The tokens in the links that sign in: each works once, and for ten minutes. */
export const LINK_MS = 10 * 60_000;
/** More than anybody prints within that time; the oldest is forgotten first. */
const MAX_LINKS = 10;

/** @typedef {'ok' | 'used' | 'expired' | 'unknown'} Verdict */

export class Links {
  /** @type {{digest: Buffer, untilMs: number, isUsed: boolean}[]} */
  #links = [];

  /** @param {number} nowMs @returns {string} a token */
  issue(nowMs) {
    const token = makeSecret();
    this.#links.push({ digest: digestOf(token), untilMs: nowMs + LINK_MS, isUsed: false });
    if (this.#links.length > MAX_LINKS) this.#links.shift();
    return token;
  }

  /** @param {string} token @param {number} nowMs @returns {Verdict} ok: it is used now */
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

/** Only its digest is kept. @returns {string} that nobody can guess, and that fits into a URL and a cookie */
function makeSecret() {
  return randomBytes(32).toString('base64url');
}

/** @param {string} secret */
function digestOf(secret) {
  return createHash('sha256').update(secret).digest();
}

/** In constant time. @param {Buffer} digest @param {string} secret */
function isDigestOf(digest, secret) {
  return timingSafeEqual(digest, digestOf(secret));
}
