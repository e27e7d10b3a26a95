/**
 * Checks the parameters of requests. The daemon sends none that are wrong, but everything of this
 * user can connect, and a wrong slot or spec would cost the app its workers.
 */
import { NodeclusterError } from '../../errors/error.js';
import { requestParams } from '../checks.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryMethods } from '../../protocol/methods.js'
 */

/**
 * @param {keyof PrimaryMethods} method
 * @param {{spec?: Spec}} params
 * @param {Readonly<Spec>} current of the app
 * @throws {NodeclusterError} E_PROTOCOL_PARAMS
 */
export function checkParams(method, params, current) {
  const key = requestParams[method](params) ?? differenceOf(params.spec ?? current, current);
  if (key !== null) throw new NodeclusterError('E_PROTOCOL_PARAMS', { method, key });
}

/** @param {Spec} spec @param {Readonly<Spec>} current @returns {string | null} what an app keeps as long as it lives */
function differenceOf({ name, execMode }, current) {
  if (name !== current.name) return 'spec.name';
  return execMode === current.execMode ? null : 'spec.execMode';
}
