/** The user and the group of an app: files and flags may name them, but processes need numbers. */
import { execFileSync } from 'node:child_process';
import { readText } from '../../shared/files/inspect-path.js';
import { isOtherUser } from '../../shared/home.js';

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
  return kind === 'user' ? runId('-u', name) : (groupInFile(name) ?? runId('-g', name));
}

/**
 * Without the user's own group, a program of another user would keep the group of root.
 * @param {number|null} uid
 * @param {(key: string) => ConfigValue} inputOf
 */
export function defaultGroup(uid, inputOf) {
  if (uid === null || process.getuid?.() !== 0) return null;
  const group = runId('-g', String(uid));
  if (group === null) inputOf('uid').reject('a user of this machine, or uid and gid');
  return group;
}

/**
 * Only root can start processes as another account.
 * @param {Spec} spec
 * @param {(key: string) => ConfigValue} inputOf
 */
export function checkAccounts({ uid, gid }, inputOf) {
  const currentUid = process.getuid?.();
  if (currentUid === 0) return;
  if (uid !== null && uid !== currentUid) {
    inputOf('uid').reject('your own account', 'you are not root');
  }
  if (gid !== null && gid !== process.getgid?.()) {
    inputOf('gid').reject('your own group', 'you are not root');
  }
}

/**
 * Workers in fork mode open their ports by themselves, as their user.
 * @param {Spec} spec
 * @param {(key: string) => ConfigValue} inputOf
 */
export function checkPrivilegedPorts({ privilegedPorts, uid, execMode }, inputOf) {
  // A value that is not valid is null here.
  if (!privilegedPorts?.length) return;
  const input = inputOf('privileged_ports');
  if (!isOtherUser(uid)) input.reject('an app with uid', 'other apps need no permission of root');
  else if (execMode === 'fork') input.reject('an app in cluster mode');
}

/**
 * `id` also knows the accounts of directory services such as LDAP.
 * @param {'-u'|'-g'} option
 * @param {string} name
 */
function runId(option, name) {
  try {
    const output = execFileSync('id', [option, '--', name], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(output);
  } catch {
    return null;
  }
}

/** @param {string} name */
function groupInFile(name) {
  const entries = readText('/etc/group').split('\n');
  const id = entries.map((line) => line.split(':')).find(([group]) => group === name)?.[2];
  return id === undefined ? null : Number(id);
}
