/** Users and groups of this machine, by name. */
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { attempt } from '../../errors/error.js';
import { readText } from '../files/inspect-path.js';

/** @typedef {{name: string, uid: number, home: string}} Account */

export function ownAccount() {
  const { username, uid, homedir } = os.userInfo();
  return { name: username, uid, home: homedir };
}

/** @param {string} name @returns {Account | null} null: there is no such user */
export function findAccount(name) {
  const own = ownAccount();
  if (name === own.name) return own;
  const uid = accountNumber('-u', name);
  const home =
    process.platform === 'darwin'
      ? firstLine('dscl', ['.', '-read', `/Users/${name}`, 'NFSHomeDirectory']).replace(/^\S+ /, '')
      : firstLine('getent', ['passwd', '--', name]).split(':')[5];
  return uid === null || !home ? null : { name, uid, home };
}

/**
 * `id` also knows directory services such as LDAP. Null: this machine does not know the name.
 * @param {'-u' | '-g'} option the user, or the group of that user
 * @param {string} name or number
 */
export function accountNumber(option, name) {
  const text = firstLine('id', [option, '--', name]);
  return text === '' ? null : Number(text);
}

/**
 * Null if this machine does not know the name.
 * @param {'user'|'group'} kind
 * @param {string} name
 */
export function accountId(kind, name) {
  if (kind === 'user') return accountNumber('-u', name);
  const lines = readText('/etc/group').split('\n');
  const line = lines.find((each) => each.startsWith(`${name}:`));
  return line === undefined ? accountNumber('-g', name) : Number(line.split(':')[2]);
}

/** @param {string} command @param {string[]} args */
function firstLine(command, args) {
  const stdio = /** @type {const} */ (['ignore', 'pipe', 'ignore']);
  const options = { encoding: /** @type {const} */ ('utf8'), stdio: [...stdio], timeout: 10_000 };
  return attempt(() => execFileSync(command, args, options).split('\n')[0], '');
}
