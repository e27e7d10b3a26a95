/** The version of this package, where its documentation is, and the version of the protocol between its processes. */
import { readFileSync } from 'node:fs';

/** @import { ProtocolRange } from '../protocol/wire.js' */

const packageFile = new URL('../../package.json', import.meta.url);

/** @type {{version: string, homepage: string}} */
const manifest = JSON.parse(readFileSync(packageFile, 'utf8'));

export const VERSION = manifest.version;

/** The address of the directory docs/. */
export const DOCS = manifest.homepage.replace(/#.*/, '/blob/main/docs');

/** @param {string} one @param {string} other @returns negative: one is older */
export function compareVersions(one, other) {
  // Without `-beta.1`.
  const [a, b] = [one, other].map((version) => version.replace(/-.*/, ''));
  return a.localeCompare(b, 'en', { numeric: true });
}

/** What a process of this version says when it connects, or when another one connects to it. */
export const OWN_VERSIONS = {
  version: VERSION,
  /** Increases when a message changes its meaning. */
  protocol: 1,
  /** The oldest protocol that this version still understands completely. */
  oldest: 1,
};

/**
 * These methods never change their meaning and only ever get further optional fields, so that a tree of another version can
 * always be listed, stopped and replaced.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const CORE_METHODS = {
  daemon: ['list', 'ping', 'stop', 'delete', 'kill'],
  primary: ['subscribe', 'ping', 'bye', 'stop', 'shutdown'],
};

/**
 * The newest that both understand; null: none, and they may use only the core methods.
 * @param {ProtocolRange} one @param {ProtocolRange} other
 */
export function agreedProtocol(one, other) {
  const newest = Math.min(one.protocol, other.protocol);
  return newest >= Math.max(one.oldest, other.oldest) ? newest : null;
}
