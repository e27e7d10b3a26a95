/** Which apps have a primary of their own, and which share one. */

/**
 * An app in fork mode has no sockets that its primary could lose. A primary runs as one user, with one group.
 * @param {{execMode: string, uid: number | null, gid: number | null}} spec
 * @returns {boolean} whether its primary may be that of other such apps too
 */
export function sharesPrimary({ execMode, uid, gid }) {
  return execMode === 'fork' && uid === null && gid === null;
}
