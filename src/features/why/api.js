/** why() and profile() of a program. */
import {
  aBoolean,
  aString,
  aTarget,
  checkOptions,
  kind,
  read,
  wrong,
} from '../../api/arguments.js';
import { currentPlace } from '../../api/selectors.js';
import { recordingMs, takeProfile } from './api-profile.js';

/**
 * @import { CallContext } from '../api.js'
 * @import { ProfileKind, ProfileOptions, WhyCalls } from './record.js'
 */

const OPTIONS = {
  cpu: kind(
    'a duration from 10ms to 1h, such as "10s", or a number of milliseconds',
    (value) => recordingMs(value) !== null,
  ),
  heap: aBoolean,
  output: aString,
  signal: kind('an AbortSignal', (value) => value instanceof AbortSignal),
};

/** @param {CallContext} connection @returns {WhyCalls} */
export const why = ({ select, request }) => ({
  async why(target) {
    return (await request('why', { selectors: await select('why', target) })).apps;
  },
  async profile(worker, options) {
    const order = orderOf(options);
    read('the target of profile()', aTarget, worker);
    const [selector] = await select('profile', worker);
    const { cwd } = currentPlace();
    const { output, signal } = options;
    return takeProfile({ selector, ...order }, { request, cwd, output, signal });
  },
});

/** @param {ProfileOptions} options @returns {ProfileKind} */
function orderOf(options) {
  const { cpu, heap = false } = checkOptions('profile', options, OPTIONS);
  if ((cpu !== undefined) === heap) {
    throw wrong('the options of profile()', 'either {cpu: "10s"} or {heap: true}', options);
  }
  return heap ? { kind: 'heap' } : { kind: 'cpu', durationMs: recordingMs(cpu) ?? undefined };
}
