/**
 * @template T
 * @param {() => Promise<T>} fetch
 * @returns {() => Promise<T>} concurrent calls share one result
 */
export function sharePending(fetch) {
  /** @type {Promise<T> | null} */
  let pending = null;
  return () => {
    pending ??= fetch().finally(() => (pending = null));
    return pending;
  };
}
