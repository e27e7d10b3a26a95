/** Whether an app may have its user, its group and its ports. */
import { isOtherUser } from '../../shared/home.js';
import { accountNumber } from '../../shared/processes/account.js';

/** @import { Step } from './app.js' */

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
