/** What a process needs sooner or later, but not to start. One that runs for months loads the rest while its files exist. */

/** @type {Set<() => unknown>} */
const loaders = new Set();

/** @template T @param {() => T} load @returns {() => T} loads it when it is called, and only once */
export function onDemand(load) {
  /** @type {T | undefined} */
  let loaded;
  const get = () => (loaded ??= load());
  loaders.add(get);
  return get;
}

/** Loads everything that was not needed yet. @throws {Error} of the loader: a file is gone */
export async function loadRest() {
  for (const get of loaders) await get();
}
