/**
 * The port of each worker's inspector. node:cluster counts upwards with each worker that it starts, so
 * that nobody knows the port after a reload. Here it is that of the slot: the port of `--inspect` plus
 * the number of the slot, and for a replacement, while the old worker has that, the same plus the number
 * of workers.
 */

/** https://nodejs.org/api/cli.html#--inspecthostport */
const DEFAULT_PORT = 9229;
const OPTION = /^--(inspect(-brk|-wait)?(-port)?|debug-port)(=|$)/;
const MAX_PORT = 65_535;

export class InspectPorts {
  /** Those of workers that have not exited. @type {Set<number>} */
  #taken = new Set();

  /**
   * @param {readonly string[]} nodeArgs
   * @param {number} slot
   * @param {number} workers how many the app has
   * @returns {number | undefined} undefined: it has no inspector, or no port is left for it
   */
  take(nodeArgs, slot, workers) {
    const base = basePort(nodeArgs);
    if (base === null) return undefined;
    const step = Math.max(workers, slot + 1);
    for (let port = base + slot; port <= MAX_PORT; port += step) {
      if (this.#taken.has(port)) continue;
      this.#taken.add(port);
      return port;
    }
    return undefined;
  }

  /** @param {number} port of a worker that has exited */
  free(port) {
    this.#taken.delete(port);
  }
}

/**
 * @param {readonly string[]} nodeArgs
 * @returns {number | null} null: they ask for no inspector, or for any port
 */
function basePort(nodeArgs) {
  const options = nodeArgs.filter((arg) => OPTION.test(arg));
  if (options.length === 0) return null;
  const given = options.flatMap((option) => /[=:](\d+)$/.exec(option)?.[1] ?? []).map(Number);
  const port = given.at(-1) ?? DEFAULT_PORT;
  return port === 0 ? null : port;
}
