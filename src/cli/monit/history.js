/** The last values of every row, for its sparklines. */

/** A wide terminal shows fewer; one sample comes each second. */
const LONGEST = 60;

/**
 * @typedef {{cpu: (number | null)[], memory: (number | null)[]}} Past
 * @typedef {ReadonlyMap<string, Past>} History by the key of a row
 */

/**
 * @param {History} history
 * @param {{key: string, cpu: number | null, memory: number | null}[]} rows of a new frame
 * @returns {History} of these rows alone, each with one value more
 */
export function remember(history, rows) {
  return new Map(
    rows.map(({ key, cpu, memory }) => {
      const past = history.get(key) ?? { cpu: [], memory: [] };
      return [key, { cpu: longer(past.cpu, cpu), memory: longer(past.memory, memory) }];
    }),
  );
}

/**
 * @param {(number | null)[]} values
 * @param {number | null} value
 */
function longer(values, value) {
  return [...values.slice(1 - LONGEST), value];
}
