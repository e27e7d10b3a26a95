/**
 * Completes and checks specs of clients and of files: names become paths, and a bad spec on disk would
 * keep every later daemon from starting.
 */
import { readSpec } from '../../config/check-spec.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Specs } from '../../protocol/methods.js'
 */

/**
 * @param {Specs} params of a request; an environment is large, so the specs share this one unless they
 *   have their own
 * @returns {Spec[]} complete
 * @throws {NodeclusterError} E_REQUEST_INVALID
 */
export function readSpecs({ specs, shellEnv }) {
  return specs.map((spec) => checkSpec({ ...spec, shellEnv: spec.shellEnv ?? shellEnv }));
}

/**
 * @param {unknown} given
 * @returns {Spec} complete
 * @throws {NodeclusterError} E_REQUEST_INVALID
 */
export function checkSpec(given) {
  const { spec, fault } = readSpec(given);
  if (fault === null) return spec;
  throw new NodeclusterError('E_REQUEST_INVALID', { what: `a spec is not valid (${fault})` });
}
