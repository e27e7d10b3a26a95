/** The user and the group of an app: files and flags may name them, but processes need numbers. */
import { readText } from '../../shared/files/inspect-path.js';
import { isOtherUser } from '../../shared/home.js';
import { accountNumber } from '../../shared/processes/account.js';

/** @import { Step } from './app.js' */

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

/** Without the user's own group, a program of another user would keep the group of root. @type {Step} */
export function chooseGroup(spec, { inputOf }) {
  const { uid, gid } = spec;
  if (gid !== null || uid === null || process.getuid?.() !== 0) return;
  spec.gid = accountNumber('-g', String(uid));
  if (spec.gid === null) inputOf('uid').reject('a user of this machine, or uid and gid');
}

/** Only root can start processes as another account. @type {Step} */
export function checkAccounts({ uid, gid }, { inputOf }, { runsElsewhere }) {
  const currentUid = process.getuid?.();
  if (runsElsewhere || currentUid === 0) return;
  if (uid !== null && uid !== currentUid) {
    inputOf('uid').reject('your own account', 'you are not root');
  }
  if (gid !== null && gid !== process.getgid?.()) {
    inputOf('gid').reject('your own group', 'you are not root');
  }
}

/** Workers in fork mode open their ports by themselves, as their user. @type {Step} */
export function checkPrivilegedPorts({ privilegedPorts, uid, execMode }, { inputOf }) {
  // A value that is not valid is null here.
  if (!privilegedPorts?.length) return;
  const input = inputOf('privileged_ports');
  if (!isOtherUser(uid)) input.reject('an app with uid', 'other apps need no permission of root');
  else if (execMode === 'fork') input.reject('an app in cluster mode');
}
