/** What a process needs sooner or later, but not to start. */

/** @template T @param {() => T} load @returns {() => T} loads it when it is called, and only once */
export function onDemand(load) {
  /** @type {T | undefined} */
  let loaded;
  return () => (loaded ??= load());
}
