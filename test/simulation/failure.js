/** An invariant that does not hold. */
export class Violation extends Error {}

/** @param {string} message @returns {never} */
export function fail(message) {
  throw new Violation(message);
}
