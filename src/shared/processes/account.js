/** Users of this machine, by name. */
import { execFileSync } from 'node:child_process';
import os from 'node:os';

/** @typedef {{name: string, uid: number, home: string}} Account */

/** @returns {Account} the user of this process */
export function ownAccount() {
  const { username, uid, homedir } = os.userInfo();
  return { name: username, uid, home: homedir };
}

/** @param {string} name @returns {Account | null} null: there is no such user */
export function findAccount(name) {
  const own = ownAccount();
  if (name === own.name) return own;
  const uid = Number(firstLine('id', ['-u', '--', name]) || NaN);
  const home =
    process.platform === 'darwin'
      ? firstLine('dscl', ['.', '-read', `/Users/${name}`, 'NFSHomeDirectory']).replace(/^\S+ /, '')
      : firstLine('getent', ['passwd', '--', name]).split(':')[5];
  return Number.isNaN(uid) || !home ? null : { name, uid, home };
}

/** @param {string} command @param {string[]} args */
function firstLine(command, args) {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    }).split('\n')[0];
  } catch {
    return '';
  }
}
