/**
 * @template T
 * @param {Promise<T>} promise what is waited for; it goes on when the deadline has passed
 * @param {number} ms how long to wait at the most
 * @param {() => Error} makeError what to reject with when the time is up
 * @returns {Promise<T>}
 */
export async function withDeadline(promise, ms, makeError) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const expiry = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(makeError()), ms);
  });
  try {
    return await Promise.race([promise, /** @type {Promise<never>} */ (expiry)]);
  } finally {
    clearTimeout(timer);
  }
}
