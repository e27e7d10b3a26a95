/**
 * Checks what clients send and what is stored on disk: names become paths, and a bad spec on disk
 * would keep every later daemon from starting.
 */
import { completeSpec } from '../../config/resolve/default-spec.js';
import { appName } from '../../config/types/values.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { DesiredApp } from '../apps/store.js'
 */

/** @typedef {(value: any) => boolean} Check */

const NAME = new RegExp(String(appName.schema.pattern));

/** @type {Check} */
const isString = (value) => typeof value === 'string';
/** @type {Check} */
const isName = (value) => isString(value) && NAME.test(value);
/** @type {Check} */
export const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
/** @type {Check} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @type {Check} */
const isVariables = (value) => isObject(value) && Object.values(value).every(isString);
/** @type {(isItem: Check) => Check} */
const isListOf = (isItem) => (value) => Array.isArray(value) && value.every(isItem);

/** What every spec needs. @type {Record<string, Check>} */
const SPEC = {
  name: isName,
  namespace: isName,
  script: isString,
  cwd: isString,
  args: isListOf(isString),
  instances: (value) => isCount(value) && value > 0,
  execMode: (value) => value === 'cluster' || value === 'fork',
  env: isVariables,
  shellEnv: isVariables,
};

/** @type {Record<string, Check>} */
const DESIRED = {
  spec: (value) => faultOf(value, SPEC) === null,
  generation: isCount,
  stopped: (value) => typeof value === 'boolean',
  slots: (value) => isListOf(isCount)(value) && value.length > 0,
  stoppedSlots: isListOf(isCount),
  attempt: (value) => value === null || faultOf(value?.spec, SPEC) === null,
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
    const fault = faultOf(spec, SPEC);
    if (fault !== null) throw invalid(`${fault} of a spec`);
    return completeSpec(spec);
  });
}

/**
 * @param {unknown} selectors of a request
 * @returns {string[]}
 * @throws {NodeclusterError} E_REQUEST_INVALID
 */
export function readSelectors(selectors) {
  if (isListOf(isString)(selectors)) return /** @type {string[]} */ (selectors);
  throw invalid('selectors is not a list of strings');
}

/**
 * @param {unknown} shellEnv of a request
 * @returns {Record<string, string> | null}
 * @throws {NodeclusterError} E_REQUEST_INVALID
 */
export function readShellEnv(shellEnv) {
  if (shellEnv === null || shellEnv === undefined) return null;
  if (!isVariables(shellEnv)) throw invalid('the environment is not a map of strings');
  return /** @type {Record<string, string>} */ (shellEnv);
}

/**
 * @param {any} desired one app, as it was read from disk
 * @returns {DesiredApp | null} null if it is not valid
 */
export function readDesired(desired) {
  if (faultOf(desired, DESIRED) !== null) return null;
  const { spec, attempt, stopped } = desired;
  const complete = attempt && { ...attempt, spec: completeSpec(attempt.spec) };
  // Files of older versions do not have them.
  const [killed, deleting] = [desired.killed, desired.deleting].map(
    (value) => stopped && value === true,
  );
  // Without them, the workers get new ones, which is better than to lose the app.
  const ids = isObject(desired.ids) && Object.values(desired.ids).every(isCount) ? desired.ids : {};
  return { ...desired, killed, deleting, ids, spec: completeSpec(spec), attempt: complete };
}

/**
 * @param {any} value
 * @param {Record<string, Check>} checks
 * @returns {string | null} the first key with a wrong value
 */
function faultOf(value, checks) {
  if (!isObject(value)) return 'all';
  return Object.keys(checks).find((key) => !checks[key](value[key])) ?? null;
}

/** @param {string} what */
function invalid(what) {
  return new NodeclusterError('E_REQUEST_INVALID', { what });
}
