/** For commands that have something to complete, or to remove, when they are interrupted. */

/** SIGHUP: its terminal was closed. */
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Otherwise these signals would end the command at once, as the second Ctrl-C does.
 */
export function interruption() {
  const controller = new AbortController();
  const others = process.listeners('SIGINT');
  for (const name of SIGNALS) {
    process.once(name, () => {
      controller.abort();
      for (const each of others.splice(0)) process.once('SIGINT', each);
    });
  }
  // Not before: without any listener, Node forgets a signal that has just arrived.
  for (const each of others) process.off('SIGINT', each);
  return controller.signal;
}
