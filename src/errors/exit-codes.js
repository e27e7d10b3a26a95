/** Documented in docs/reference/errors.md. */
export const exitCodes = Object.freeze({
  ok: 0,
  internal: 1,
  usage: 2,
  badFile: 3,
  notFound: 4,
  appFailed: 5,
  refused: 6,
  environment: 7,
  connection: 8,
});

/** @typedef {Record<string, any>} ErrorData what an error adds to its code; must survive JSON */

/**
 * @typedef {object} ErrorEntry
 * @property {keyof typeof exitCodes} exitCode
 * @property {string | ((data: ErrorData) => string)} message what failed, and why
 * @property {string | ((data: ErrorData) => string | null)} [hint] what to do next
 */

/**
 * @param {ErrorEntry['exitCode']} exitCode
 * @param {Record<string, Omit<ErrorEntry, 'exitCode'>>} entries
 */
export function withExitCode(exitCode, entries) {
  return Object.fromEntries(
    Object.entries(entries).map(([code, entry]) => [code, { ...entry, exitCode }]),
  );
}
