/**
 * Clients of several kinds that ask one question after another until they are stopped. Nothing is
 * asked twice, every failure is kept, and what the servers have carried out is compared with it.
 */
import { readFileSync } from 'node:fs';
import { until, within } from '../until.js';

/** After so many a client gives up: the test has failed. */
const MAX_FAILURES = 5;
/** For many answers on a busy machine. */
const ANSWERS_MS = 120_000;

/**
 * @typedef {(id: string) => Promise<void>} SendRequest throws when it is not answered as it should be
 */

/**
 * @param {Record<string, SendRequest>} kinds
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
    /** @param {number} count waits until so many more were answered, or one was not */
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
 * @param {string} file what the servers wrote down
 * @returns {{ids: Set<string>, twice: string[]}}
 */
export function executedIds(file) {
  const ids = readFileSync(file, 'utf8').trim().split('\n');
  const seen = new Set();
  const twice = ids.filter((id) => seen.has(id) || !seen.add(id));
  return { ids: seen, twice };
}

/**
 * @param {string} file what the servers wrote down
 * @returns {{count: number, twice: string[]}} how often anything was executed
 */
export function executions(file) {
  const { ids, twice } = executedIds(file);
  return { count: ids.size + twice.length, twice };
}
