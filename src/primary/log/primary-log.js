/** The log of the primary itself, which is its stderr: what failed that no command can report. */
import { writeSync } from 'node:fs';

/** @param {string} line a line that cannot be written, as on a full disk, is lost */
export function logInPrimary(line) {
  try {
    // process.stderr writes nothing more after its first error.
    writeSync(process.stderr.fd, `${line}\n`);
  } catch {
    // There is no other place for it.
  }
}
