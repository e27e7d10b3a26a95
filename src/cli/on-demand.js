/**
 * Node before 20.19 and 22.12 cannot load an ES module synchronously. There a package is loaded at once.
 * @template T
 * @param {() => T} load by `require`
 * @param {() => Promise<T>} loadNow by `import`
 * @returns {Promise<() => T>} loads it when it is called, and only once
 */
export async function onDemand(load, loadNow) {
  /** @type {T | undefined} */
  let loaded;
  if (!process.features.require_module) loaded = await loadNow();
  return () => (loaded ??= load());
}
