/** Who asks for a change: what the system says of the process that a client names as its own. */
import { readFile, readlink } from 'node:fs/promises';
import { within } from '../../shared/deadline.js';
import { maskText } from '../../shared/secrets.js';
import { shortText } from '../../shared/quoting.js';
import { nameOfUser } from '../users/account.js';

/**
 * @import { Hello } from '../../protocol/wire.js'
 * @import { Sender } from '../../protocol/shapes.js'
 */

/** Characters. */
const MAX_NAME = 64;
const MAX_DIRECTORY = 200;
/** ms for a file of a process, whose memory the kernel may be busy with, and for the name of a user. */
const READ_MS = 500;

/**
 * Ask while the client waits for the reply: then its process is there. Only Linux says something of it.
 * @param {Pick<Hello, 'role' | 'user' | 'pid'>} peer
 * @returns {Promise<Sender>} never rejects
 */
export async function senderOf({ role, user, pid }) {
  const read = (/** @type {string} */ file) => known(readFile(`/proc/${pid}/${file}`, 'utf8'));
  const [status, loginUid, stat, cwd] = await Promise.all([
    ...['status', 'loginuid', 'stat'].map(read),
    known(readlink(`/proc/${pid}/cwd`)),
  ]);
  const uid = /^Uid:\s+(\d+)/m.exec(status ?? '')?.[1];
  const [account, login] = await Promise.all([uid, loginUid].map(nameOf));
  return {
    role: shortText(role, MAX_NAME),
    user: user === undefined ? null : shortText(user, MAX_NAME),
    account,
    login,
    terminal: terminalIn(stat ?? ''),
    cwd: cwd && shortText(maskText(cwd), MAX_DIRECTORY),
  };
}

/** @param {Promise<string>} fact */
async function known(fact) {
  return (await within(fact, READ_MS).catch(() => null)) ?? null;
}

/** Of loginuid(5): nobody logged in. */
const NOBODY = 2 ** 32 - 1;

/** @param {string | null | undefined} uid */
async function nameOf(uid) {
  if (!uid || Number(uid) === NOBODY) return null;
  const name = await known(nameOfUser(Number(uid)));
  return name && shortText(name, MAX_NAME);
}

/** The major number of `pts/0` and the like: Documentation/admin-guide/devices.txt of Linux. */
const PTS = 136;

/** @param {string} stat proc(5): tty_nr is its seventh field, and the second may contain anything */
function terminalIn(stat) {
  const number = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]);
  const isPts = ((number >> 8) & 0xfff) === PTS;
  return isPts ? `pts/${(number & 0xff) | ((number >> 12) & 0xfff00)}` : null;
}
