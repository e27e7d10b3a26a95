/**
 * Who is signed in. A session needs the cookie and the key: browsers send a cookie to every port of a host. Secrets are
 * looked up by their digest, so that the time says nothing about them.
 */
import { createHash, randomBytes } from 'node:crypto';

const IDLE_MS = 12 * 3_600_000;
const MAX_AGE_MS = 7 * 24 * 3_600_000;
/** The session that was not used for longest ends first. */
const MAX_SESSIONS = 20;

export class Sessions {
  /** By cookie and key, the one that was used last at the end. @type {Map<string, {beganMs: number, usedMs: number}>} */
  #sessions = new Map();

  /** @param {number} nowMs */
  begin(nowMs) {
    const [cookie, key] = [makeSecret(), makeSecret()];
    addTo(this.#sessions, digestOf(cookie, key), { beganMs: nowMs, usedMs: nowMs }, MAX_SESSIONS);
    return { cookie, key };
  }

  /**
   * @param {string | null} cookie
   * @param {string} key
   * @param {number} nowMs
   * @returns {boolean} whether they belong to a session, which counts as used now
   */
  use(cookie, key, nowMs) {
    const name = digestOf(cookie ?? '', key);
    const session = this.#sessions.get(name);
    this.#sessions.delete(name);
    if (!session) return false;
    if (nowMs - session.usedMs >= IDLE_MS || nowMs - session.beganMs >= MAX_AGE_MS) return false;
    this.#sessions.set(name, { ...session, usedMs: nowMs });
    return true;
  }

  /** @param {string | null} cookie @param {string} key */
  end(cookie, key) {
    this.#sessions.delete(digestOf(cookie ?? '', key));
  }
}

/** The tokens in the links that sign in: each works once, and for ten minutes. */
export const LINK_MS = 10 * 60_000;
/** More than anybody prints within that time; the oldest is forgotten first. */
const MAX_LINKS = 10;

/** @typedef {'ok' | 'used' | 'expired' | 'unknown'} Verdict */

export class Links {
  /** By token. @type {Map<string, {untilMs: number, isUsed: boolean}>} */
  #links = new Map();

  /** @param {number} nowMs @returns {string} a token */
  issue(nowMs) {
    const token = makeSecret();
    const link = { untilMs: nowMs + LINK_MS, isUsed: false };
    addTo(this.#links, digestOf(token), link, MAX_LINKS);
    return token;
  }

  /** @param {string} token @param {number} nowMs @returns {Verdict} ok: it is used now */
  redeem(token, nowMs) {
    const link = this.#links.get(digestOf(token));
    if (!link) return 'unknown';
    if (link.isUsed) return 'used';
    if (nowMs >= link.untilMs) return 'expired';
    link.isUsed = true;
    return 'ok';
  }
}

/** @returns {string} that nobody can guess, and that fits into a URL and a cookie */
function makeSecret() {
  return randomBytes(32).toString('base64url');
}

/** @param {string[]} secrets */
function digestOf(...secrets) {
  return createHash('sha256').update(secrets.join('\n')).digest('base64');
}

/** @template T @param {Map<string, T>} map @param {string} name @param {T} value @param {number} most the oldest gives way */
function addTo(map, name, value, most) {
  map.set(name, value);
  const [oldest] = map.keys();
  if (map.size > most) map.delete(oldest);
}
