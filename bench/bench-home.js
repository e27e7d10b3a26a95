/** A temporary home directory for a measurement. */
import { execFileSync } from 'node:child_process';
import { testHome } from '../test/support/home.js';

/**
 * @template T
 * @param {(home: ReturnType<typeof testHome>) => Promise<T>} measure
 * @returns {Promise<T>}
 */
export async function inHome(measure) {
  /** @type {(() => unknown)[]} */
  const teardowns = [];
  const home = testHome({
    teardown: (fn) => teardowns.push(fn),
    fail: (message) => console.error(`warning: ${message}`),
  });
  try {
    return await measure(home);
  } finally {
    for (const teardown of teardowns) await teardown();
  }
}

/** @param {string} node path of a Node binary @returns {string} its version */
export function versionOf(node) {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
}
