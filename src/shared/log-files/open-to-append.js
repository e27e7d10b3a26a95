/** Opens the logs of daemon and primaries, which must be able to run whatever is in the place of a log. */
import { constants, openSync, renameSync, statSync } from 'node:fs';

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
/** Without waiting for the reader of a pipe. */
const TO_APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

/**
 * A directory, pipe or socket in its place is kept beside it, since its owner may not know how to free
 * the path. A link to /dev/null stays.
 * @param {string} log
 * @returns {number} a descriptor
 * @throws {NodeJS.ErrnoException}
 */
export function openToAppend(log) {
  const found = statSync(log, { throwIfNoEntry: false });
  if (found && !found.isFile() && !found.isCharacterDevice()) renameSync(log, `${log}.aside`);
  return openSync(log, TO_APPEND, 0o600);
}
