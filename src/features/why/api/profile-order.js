/** What profile() asks for. */
import { parseDuration } from '../../../shared/units.js';
import { checkOptions, wrong } from '../../../api/arguments.js';

/**
 * @import { ProfileKind } from '../../../protocol/methods.js'
 * @import { ProfileOptions } from '../../../api/types.js'
 */

/**
 * @param {ProfileOptions} options
 * @returns {ProfileKind}
 * @throws {TypeError}
 */
export function readProfileOrder(options) {
  const { cpu, heap = false } = checkOptions('profile', options);
  if ((cpu !== undefined) === heap) {
    throw wrong('the options of profile()', 'either {cpu: "10s"} or {heap: true}', options);
  }
  return heap ? { kind: 'heap' } : { kind: 'cpu', durationMs: parseDuration(cpu) ?? undefined };
}
