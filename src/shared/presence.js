/** Daemon and primaries check regularly that their socket and their record still exist. */

/** ms between two checks. */
const CHECK_MS = 2000;

/** ms within which a running process has restored them, even on a busy machine. */
export const HEALED_MS = 3 * CHECK_MS;

/**
 * @param {() => Promise<void>} check restores what is missing
 * @param {(reason: string) => void} onTrouble called when it throws, once for each reason
 * @returns {() => Promise<void>} ends the checks; resolves when the last one restores nothing any more
 */
export function checkRegularly(check, onTrouble) {
  let isOver = false;
  let known = '';
  /** @type {Promise<void>} */
  let running = Promise.resolve();
  let timer = start();
  return () => {
    isOver = true;
    clearTimeout(timer);
    return running;
  };

  function start() {
    return setTimeout(() => (running = run()), CHECK_MS).unref();
  }

  async function run() {
    try {
      await check();
      known = '';
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (message !== known && !isOver) onTrouble(message);
      known = message;
    }
    if (!isOver) timer = start();
  }
}
