/** What shows that the clock is wrong. It may be wrong without any of it. */
import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { listDirectory } from '../../shared/files/inspect-path.js';

/**
 * @typedef {object} Clock
 * @property {number | null} firstYear Node, which runs now, was built in that year or later; null: not known
 * @property {{file: string, at: number} | null} future the file of the home that was written latest, if that has not come
 *   yet; epoch ms
 * @property {boolean | null} isSynchronized with a time server; null: systemd does not say, as in a container
 */

/** ms; a file server has its own clock. */
const MARGIN_MS = 60_000;
const MAX_WAIT_MS = 5000;

/** @param {string} home @param {number} now epoch ms @returns {Promise<Clock>} */
export async function clockOf(home, now) {
  const files = listDirectory(home).map((name) => path.join(home, name));
  const [latest] = files
    .map((file) => ({ file, at: attempt(() => lstatSync(file).mtimeMs, 0) }))
    .sort((one, other) => other.at - one.at);
  return {
    // The version of its time zones, such as 2026a.
    firstYear: Number(process.versions.tz?.slice(0, 4)) || null,
    future: latest && latest.at > now + MARGIN_MS ? latest : null,
    isSynchronized: await askSystemd(),
  };
}

/** The flag of the kernel, whatever program it is that synchronises the clock. @returns {Promise<boolean | null>} */
function askSystemd() {
  const args = ['show', '--property=NTPSynchronized', '--value'];
  return new Promise((resolve) => {
    execFile('timedatectl', args, { timeout: MAX_WAIT_MS }, (error, stdout) => {
      const answer = error ? '' : stdout.trim();
      resolve(answer === 'yes' || (answer === 'no' ? false : null));
    });
  });
}
