/** The user and the group of an app: files and flags may name them, but processes need numbers. */
import { readText } from '../../shared/files/inspect-path.js';
import { isOtherUser } from '../../shared/home.js';
import { accountNumber } from '../../shared/processes/account.js';

/**
 * @import { ConfigValue } from '../file/config-value.js'
 * @import { Spec } from '../spec.js'
 */

/**
 * @param {'user'|'group'} kind
 * @param {string} name
 * @returns {number|null} null if this machine does not know the name
 */
export function accountId(kind, name) {
  if (kind === 'user') return accountNumber('-u', name);
  const groups = readText('/etc/group')
    .split('\n')
    .map((line) => line.split(':'));
  const id = groups.find(([group]) => group === name)?.[2];
  return id === undefined ? accountNumber('-g', name) : Number(id);
}

/** @param {number|null} uid @param {(key: string) => ConfigValue} inputOf */
export function defaultGroup(uid, inputOf) {
  // Without the user's own group, a program of another user would keep the group of root.
  if (uid === null || process.getuid?.() !== 0) return null;
  const group = accountNumber('-g', String(uid));
  if (group === null) inputOf('uid').reject('a user of this machine, or uid and gid');
  return group;
}

/** @param {Spec} spec @param {(key: string) => ConfigValue} inputOf */
export function checkAccounts({ uid, gid }, inputOf) {
  // Only root can start processes as another account.
  const currentUid = process.getuid?.();
  if (currentUid === 0) return;
  if (uid !== null && uid !== currentUid) {
    inputOf('uid').reject('your own account', 'you are not root');
  }
  if (gid !== null && gid !== process.getgid?.()) {
    inputOf('gid').reject('your own group', 'you are not root');
  }
}

/** @param {Spec} spec @param {(key: string) => ConfigValue} inputOf */
export function checkPrivilegedPorts({ privilegedPorts, uid, execMode }, inputOf) {
  // Workers in fork mode open their ports by themselves, as their user.
  // A value that is not valid is null here.
  if (!privilegedPorts?.length) return;
  const input = inputOf('privileged_ports');
  if (!isOtherUser(uid)) input.reject('an app with uid', 'other apps need no permission of root');
  else if (execMode === 'fork') input.reject('an app in cluster mode');
}
