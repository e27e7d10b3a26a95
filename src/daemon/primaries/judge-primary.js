/** Decides whether an app has a primary, so that none is started twice and none is given up. */

/**
 * @typedef {'none' | 'alive' | 'shared' | 'dead' | 'unsound'} RecordKind shared: its process runs, perhaps
 *   for other apps only; unsound: damaged, or cannot be read
 * @typedef {'none' | 'primary' | 'stranger' | 'refuses' | 'silent' | 'unreachable'} SocketKind
 *   refuses: no process listens; silent: one listens and does not answer; unreachable: this daemon
 *   could not connect, as when it has no descriptors left
 */

/**
 * @param {RecordKind} record
 * @param {SocketKind} socket
 * @param {boolean} hasHealed whether a running primary has had the time to restore its socket
 * @returns {'none' | 'recorded' | 'listener' | 'unclear'} the process in the record, or the one that
 *   listens; unclear: ask again later
 */
export function judgePrimary(record, socket, hasHealed) {
  if (record === 'alive') return 'recorded';
  // One that is silent may be frozen, and then it is replaced.
  if (record === 'shared' && ['primary', 'silent', 'unreachable'].includes(socket))
    return 'recorded';
  if (socket === 'primary') return 'listener';
  if (socket !== 'none' && socket !== 'refuses') return 'unclear';
  const isInDoubt = record === 'unsound' || record === 'shared';
  return isInDoubt && !hasHealed ? 'unclear' : 'none';
}
