/**
 * Checks the parameters of requests. The daemon sends none that are wrong, but everything of this
 * user can connect, and a wrong slot or spec would cost the app its workers.
 */
import { NodeclusterError } from '../../errors/error.js';
import { isCount, isListOf, isObject } from '../../shared/checks.js';

/** @import { Spec } from '../../config/spec.js' */

/** As many workers as `scale` permits. */
const MAX_SLOT = 9999;

/** @type {Record<string, (value: unknown, current: Readonly<Spec>) => boolean>} */
const CHECKS = {
  slots: (value) => isListOf(value, isSlot),
  spec: isSpecOf,
  generation: isCount,
  parallel: isCount,
  after: isCount,
  onFailure: (value) => value === 'keep' || value === 'rollback',
  canary: isCanaryRule,
  signal: (value) => typeof value === 'string',
  launch: (value) => typeof value === 'string',
  slot: isSlot,
  pid: isCount,
  kind: (value) => value === 'cpu' || value === 'heap',
  durationMs: isCount,
  socket: (value) => typeof value === 'string' && /^[\w-]{1,40}\.sock$/.test(value),
};

/** Optional elsewhere. @type {Record<string, string[]>} */
const REQUIRED = {
  scale: ['slots', 'spec'],
  configure: ['spec'],
  'replace-workers': ['slots', 'generation'],
  signal: ['signal'],
  host: ['launch'],
  profile: ['slot', 'kind', 'socket'],
};

/**
 * @param {string} method
 * @param {Record<string, unknown>} params
 * @param {Readonly<Spec>} current of the app
 * @throws {NodeclusterError} E_PROTOCOL_PARAMS
 */
export function checkParams(method, params, current) {
  const missing = REQUIRED[method]?.find((key) => params[key] === undefined);
  const wrong = Object.keys(CHECKS).find(
    (key) => params[key] !== undefined && !CHECKS[key](params[key], current),
  );
  const key = missing ?? wrong;
  if (key) throw new NodeclusterError('E_PROTOCOL_PARAMS', { method, key });
}

/**
 * The daemon has checked each option, with packages that a primary does not load. A daemon of
 * another version may know other options.
 * @param {any} spec
 * @param {Readonly<Spec>} current
 */
function isSpecOf(spec, { name, execMode }) {
  if (!isObject(spec)) return false;
  const { script, cwd, args, env, shellEnv, instances, maxSurge } = spec;
  return (
    spec.name === name &&
    spec.execMode === execMode &&
    [script, cwd].every((value) => typeof value === 'string') &&
    [env, shellEnv].every(isObject) &&
    Number.isSafeInteger(instances?.max ?? instances) &&
    isCount(maxSurge) &&
    Array.isArray(args)
  );
}

/** @param {any} rule */
function isCanaryRule(rule) {
  const { forMs, max5xx, maxP99 } = isObject(rule) ? rule : {};
  return (
    isCount(rule?.instances) &&
    rule.instances > 0 &&
    (rule.minRequests === undefined || isCount(rule.minRequests)) &&
    [forMs, max5xx, maxP99].every((value) => Number.isFinite(value) && value >= 0)
  );
}

/** @param {unknown} value */
function isSlot(value) {
  return isCount(value) && value <= MAX_SLOT;
}
