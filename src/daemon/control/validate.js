/**
 * Checks what clients send and what is stored on disk: names become paths, and a bad spec on disk
 * would keep every later daemon from starting.
 */
import { readSpec } from '../../config/check-spec.js';
import { MAX_INSTANCES } from '../../config/types/values.js';
import { NodeclusterError } from '../../errors/error.js';
import { isCount, isListOf, isObject } from '../../shared/checks.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { DesiredApp } from '../apps/store.js'
 */

/** @typedef {(value: any) => boolean} Check */

/** @type {Check} */
const isString = (value) => typeof value === 'string';

/** @type {Check} slot numbers, each once */
const areSlots = (value) =>
  isListOf(value, isCount) && value.length <= MAX_INSTANCES && new Set(value).size === value.length;

/** @type {Check} */
const isRollout = (value) =>
  isObject(value) &&
  isCount(value.generation) &&
  (value.resizeTo === undefined || (areSlots(value.resizeTo) && value.resizeTo.length > 0));

/** What the desired state of an app consists of besides its specs. @type {Record<string, Check>} */
const DESIRED = {
  generation: isCount,
  stopped: (value) => typeof value === 'boolean',
  slots: (value) => areSlots(value) && value.length > 0,
  stoppedSlots: areSlots,
  attempt: (value) => value === null || isRollout(value),
};

/**
 * @param {{specs?: unknown, shellEnv?: unknown}} params of a request; an environment is
 *   large, so the specs share this one unless they have their own
 * @returns {Spec[]} complete
 * @throws {NodeclusterError} E_REQUEST_INVALID
 */
export function readSpecs({ specs, shellEnv }) {
  if (!Array.isArray(specs)) throw invalid('specs is not a list');
  return specs.map((each) => {
    const spec = isObject(each) ? { ...each, shellEnv: each.shellEnv ?? shellEnv } : each;
    const read = readSpec(spec);
    if (read.fault !== null) throw invalid(`a spec is not valid (${read.fault})`);
    return read.spec;
  });
}

/**
 * @param {unknown} spec from disk or from a primary
 * @returns {Spec} complete
 * @throws {NodeclusterError} E_REQUEST_INVALID
 */
export function checkSpec(spec) {
  return readSpecs({ specs: [spec] })[0];
}

/**
 * @param {any} desired one app, as it was read from disk
 * @returns {{app: DesiredApp, fault: null} | {app: null, fault: string}} `fault`: why it is not valid
 */
export function readDesired(desired) {
  if (!isObject(desired)) return { app: null, fault: 'not a map' };
  const wrong = Object.keys(DESIRED).find((key) => !DESIRED[key](desired[key]));
  if (wrong !== undefined) return { app: null, fault: `${wrong} is not valid` };
  const { generation, slots, stoppedSlots, attempt } = desired;
  const own = readSpec(desired.spec);
  const rollout = attempt && readSpec(attempt.spec);
  const fault = own.fault ?? rollout?.fault ?? null;
  if (own.spec === null || fault !== null) return { app: null, fault: String(fault) };
  // Without them, the workers get new ones, which is better than to lose the app.
  const ids = areIds(desired.ids) ? desired.ids : {};
  const app = {
    spec: own.spec,
    generation,
    ...endOf(desired),
    slots: [...slots].sort((a, b) => a - b),
    stoppedSlots,
    ids,
    attempt: rollout && { ...attempt, spec: rollout.spec },
    ...lifeOf(desired),
  };
  return { app, fault: null };
}

/**
 * Files of older versions do not have all of it.
 * @param {any} desired
 * @returns {Pick<DesiredApp, 'listeningRecord' | 'createdAt'>}
 */
function lifeOf({ listeningRecord, createdAt }) {
  return {
    listeningRecord: isListeningRecord(listeningRecord) ? listeningRecord : null,
    createdAt: Number.isFinite(createdAt) ? createdAt : null,
  };
}

/**
 * Files of older versions say only whether it is stopped.
 * @param {any} desired
 */
function endOf({ stopped, killed, deleting }) {
  return { stopped, killed: stopped && killed === true, deleting: stopped && deleting === true };
}

/** @param {any} record */
function isListeningRecord(record) {
  return isObject(record) && isString(record.input) && isListOf(record.addresses, isString);
}

/** @param {unknown} ids by slot */
function areIds(ids) {
  if (!isObject(ids)) return false;
  const all = Object.values(ids);
  return all.every(isCount) && new Set(all).size === all.length;
}

/** @param {string} what */
function invalid(what) {
  return new NodeclusterError('E_REQUEST_INVALID', { what });
}
