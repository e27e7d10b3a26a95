/** Which changes of a spec need another primary, and whether that can serve beside the current one. */
import { isDeepStrictEqual } from 'node:util';
import { isOtherUser } from '../../../shared/home.js';

/** @import { Spec } from '../../../config/spec.js' */

/** Keys of a spec that a primary cannot change while it runs. */
const FIXED = /** @type {const} */ ([
  'execMode',
  'scheduling',
  'interpreter',
  'uid',
  'gid',
  'privilegedPorts',
]);

/**
 * Of these, what a second primary may have while the first one still serves the same sockets. In fork
 * mode they concern only the workers.
 */
const MOVABLE = ['interpreter', 'scheduling'];

/** @typedef {Pick<Spec, typeof FIXED[number]>} Fixed */

/**
 * @param {Fixed} old of a primary that may be of another version, which does not know every key
 * @param {Fixed} spec
 * @returns {boolean}
 */
export function needsNewPrimary(old, spec) {
  const isFork = old.execMode === 'fork' && spec.execMode === 'fork';
  const keys = isFork ? FIXED.filter((key) => !MOVABLE.includes(key)) : FIXED;
  return keys.some((key) => key in old && !isDeepStrictEqual(spec[key], old[key]));
}

/**
 * Programs in fork mode bind their ports themselves, the files of another user have one place, and with
 * `reuseport` each socket belongs to one slot.
 * @param {Fixed} old
 * @param {Fixed} spec
 * @returns {boolean}
 */
export function canMove(old, spec) {
  const isMovable = FIXED.every(
    (key) => MOVABLE.includes(key) || isDeepStrictEqual(spec[key], old[key]),
  );
  const keepsSockets =
    spec.scheduling === old.scheduling ||
    ![spec, old].some((each) => each.scheduling === 'reuseport');
  return isMovable && keepsSockets && spec.execMode === 'cluster' && !isOtherUser(spec.uid);
}
