/** The identity of a process as the target of a symbolic link. */

/** @import { ProcessIdentity } from './records.js' */

/**
 * ext4 stores a target of less than 60 bytes in the inode, so it must be short.
 * @param {ProcessIdentity} identity
 * @returns {string}
 */
export function identityText({ pid, bootId, startTime }) {
  return `${pid} ${bootId} ${startTime}`;
}

/**
 * @param {string} text
 * @returns {ProcessIdentity | null} null: it is not such a text
 */
export function parseIdentity(text) {
  const match = /^(\d{1,10}) ([\w-]+) (\S.*)$/.exec(text);
  return match && { pid: Number(match[1]), bootId: match[2], startTime: match[3] };
}
