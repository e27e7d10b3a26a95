/** Secrets that nobody can guess, and how they are compared. Only their digests are kept. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;

/** @returns {string} that fits into a URL and a cookie */
export function makeSecret() {
  return randomBytes(BYTES).toString('base64url');
}

/** @param {string} secret @returns {Buffer} */
export function digestOf(secret) {
  return createHash('sha256').update(secret).digest();
}

/**
 * In constant time.
 * @param {Buffer} digest
 * @param {string} secret
 * @returns {boolean} whether it is the digest of this secret
 */
export function isDigestOf(digest, secret) {
  return timingSafeEqual(digest, digestOf(secret));
}
