/**
 * Clients that send requests of several kinds, one after another, until they are stopped. Nothing is
 * sent twice and every failure is stored, so that tests can compare this with what was executed.
 */
import { readFileSync } from 'node:fs';
import { until, within } from '../until.js';

/** A client gives up after this many failures: the test has failed. */
const MAX_FAILURES = 5;
/** Deadline for many answers on a busy machine. */
const ANSWERS_MS = 120_000;

/**
 * @param {Record<string, (id: string) => Promise<unknown>>} kinds reject if the answer is wrong or missing
 * @param {number} clients of each kind
 */
export function startTraffic(kinds, clients = 2) {
  const state = { made: 0, answered: 0, stopping: false };
  /** @type {string[]} */
  const failures = [];
  /** @param {string} kind @param {number} client */
  const loop = async (kind, client) => {
    for (let number = 0; !state.stopping; number++) {
      const id = `${kind}-${client}-${number}`;
      state.made += 1;
      try {
        await within(kinds[kind](id), `an answer to ${id}`);
        state.answered += 1;
      } catch (error) {
        failures.push(`${id}: ${/** @type {Error} */ (error).message}`);
        if (failures.length >= MAX_FAILURES) return;
      }
    }
  };
  const loops = Object.keys(kinds).flatMap((kind) =>
    Array.from({ length: clients }, (_, client) => loop(kind, client)),
  );
  return {
    /** @param {number} count waits until this many more were answered, or one failed */
    async answers(count) {
      const enough = state.answered + count;
      const isEnough = () => state.answered >= enough || failures.length > 0;
      await until(isEnough, `${count} answers`, ANSWERS_MS);
    },
    async stop() {
      state.stopping = true;
      await Promise.all(loops);
      return { made: state.made, failures };
    },
  };
}

/**
 * The ids of executed requests, and those executed twice.
 * @param {string} file in which the servers recorded them
 */
export function executedIds(file) {
  const ids = readFileSync(file, 'utf8').trim().split('\n');
  /** @type {Set<string>} */
  const seen = new Set();
  const twice = ids.filter((id) => seen.has(id) || !seen.add(id));
  return { ids: seen, twice };
}
