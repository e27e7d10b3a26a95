/** Which lines of which logs a page asks for. Pure. */
import { Refusal } from '../http/respond.js';
import { isAtLeast, LEVELS } from './log-level.js';

/**
 * @import { TailOptions } from '../../../api/logs/log-tail.js'
 * @import { Live } from '../live/live.js'
 */

/**
 * @typedef {object} LogRequest
 * @property {string[]} selectors
 * @property {number} lines to show at first
 * @property {TailOptions} options
 */

const DEFAULT_LINES = 200;
const MAX_LINES = 1000;

/**
 * @param {URLSearchParams} query
 * @param {Pick<Live, 'state'>} live
 * @returns {LogRequest}
 * @throws {Refusal}
 */
export function readLogRequest(query, live) {
  const level = oneOf(query, 'level', LEVELS);
  const search = query.get('search');
  const lines = readLines(query.get('lines'));
  return {
    selectors: selectorsOf(query, live),
    lines,
    options: {
      filter: {
        stream: oneOf(query, 'stream', /** @type {const} */ (['out', 'error'])),
        grep: search ? new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i') : null,
      },
      accepts: (entry) => isAtLeast(entry, level),
      pastLines: lines,
    },
  };
}

/** @param {URLSearchParams} query @param {Pick<Live, 'state'>} live */
function selectorsOf(query, { state: { apps } }) {
  const names = query.getAll('app');
  const worker = query.get('worker');
  if (worker === null) return names.length > 0 ? names : ['all'];
  for (const { name, workers } of Object.values(apps)) {
    if (Object.hasOwn(workers, worker)) return [`${name}:${workers[worker].slot}`];
  }
  throw new Refusal(404, `There is no worker ${worker}.`);
}

/**
 * @template {string} T
 * @param {URLSearchParams} query
 * @param {string} name
 * @param {readonly T[]} values
 * @returns {T | null} null: it is not given
 */
function oneOf(query, name, values) {
  const text = query.get(name);
  const value = values.find((each) => each === text) ?? null;
  if (text && value === null)
    throw new Refusal(400, `${name} must be one of ${values.join(', ')}.`);
  return value;
}

/** @param {string | null} text */
function readLines(text) {
  const lines = text === null ? DEFAULT_LINES : Number(text);
  if (Number.isInteger(lines) && lines >= 1 && lines <= MAX_LINES) return lines;
  throw new Refusal(400, `lines must be a number from 1 to ${MAX_LINES}.`);
}
