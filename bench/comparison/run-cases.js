/** Measures cases: in each round every candidate once, so that all of them meet the same machine. */
import { candidates } from './candidates.js';
import { Gap } from './gap.js';

/**
 * @import { Case, Row } from './types.js'
 * @import { Results } from '../results.js'
 */

/**
 * @typedef {object} Run
 * @property {Map<string, Case>} cases by name
 * @property {string} node
 * @property {string} version of it
 * @property {number} [rounds] instead of what the cases say
 * @property {number} seconds of each load
 * @property {string} [who] only the candidates with this in their names, and what they are compared with
 * @property {Results<Row>} results
 * @property {(line: string) => void} report
 * @property {() => Promise<void>} afterCase after the last measurement of each case
 *
 * @typedef {{name: string, measured: Case, key: Row}} Step
 */

/** @param {Run} run */
export async function runCases(run) {
  const steps = stepsOf(run);
  // A gap is measured again, since it may have been closed.
  const isMeasured = (/** @type {Row} */ row) => row.node === run.version && row.figures;
  const todo = steps.filter(({ key }) => !run.results.of(key).some(isMeasured));
  const expected = (/** @type {Step[]} */ some) =>
    some.reduce((sum, { measured }) => sum + measured.seconds, 0);
  run.report(
    `${todo.length} of ${steps.length} measurements, about ${minutes(expected(todo))} on ${run.version}`,
  );
  let [spent, planned] = [0, 0];
  for (const [index, step] of todo.entries()) {
    const start = performance.now();
    const outcome = await take(step, run);
    spent += (performance.now() - start) / 1000;
    planned += step.measured.seconds;
    const left = expected(todo.slice(index + 1)) * (spent / planned);
    const { name, key } = step;
    run.report(
      `[${index + 1}/${todo.length}, ${minutes(left)} left] ${name}, round ${key.round}, ${key.candidate}: ${outcome}`,
    );
    if (todo[index + 1]?.name !== name) await run.afterCase();
  }
}

/** @param {Run} run @returns {Step[]} in the order in which they are taken */
function stepsOf({ cases, version, rounds, who }) {
  const steps = [];
  for (const [name, measured] of cases) {
    const names = measured.candidates.filter(
      (each, index) => !who || index === 0 || each.includes(who),
    );
    for (let round = 1; round <= (rounds ?? measured.rounds); round++) {
      for (const candidate of rotated(names, round - 1)) {
        steps.push({ name, measured, key: { case: name, node: version, candidate, round } });
      }
    }
  }
  return steps;
}

/** Nobody is always the first. @param {string[]} names @param {number} by */
function rotated(names, by) {
  const at = by % names.length;
  return [...names.slice(at), ...names.slice(0, at)];
}

/** @param {Step} step @param {Run} run @returns {Promise<string>} for the report */
async function take({ measured, key }, { node, seconds, results }) {
  const candidate = candidates.get(key.candidate);
  if (!candidate) throw new Error(`${key.case} names ${key.candidate}, which does not exist`);
  try {
    const rows = await measured.measure({ candidate, node, seconds, round: key.round });
    results.replace(
      key,
      rows.map((row) => ({ ...key, ...row, date: new Date().toISOString().slice(0, 10) })),
    );
    return rows.map(({ variant, figures }) => `${variant} ${said(figures)}`).join('; ');
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const gap = error instanceof Gap ? message : `failed: ${message.replaceAll(/\s+/g, ' ')}`;
    results.replace(key, [{ ...key, gap: gap.slice(0, 300) }]);
    return gap.slice(0, 300);
  }
}

/** @param {Record<string, number>} figures */
function said(figures) {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`)
    .join(', ');
}

/** @param {number} seconds */
function minutes(seconds) {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
