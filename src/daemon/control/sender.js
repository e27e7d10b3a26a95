/** Who asks for a change: what the system says of the process that a client names as its own. */
import { readFile } from 'node:fs/promises';
import { within } from '../../shared/deadline.js';
import { maskSecrets } from '../../shared/secrets.js';

/**
 * @import { Hello } from '../../protocol/wire.js'
 * @import { Sender } from '../../protocol/shapes.js'
 */

/** Characters of a name. */
const MAX_NAME = 64;
const MAX_COMMAND = 400;
/** ms for the files of a process, whose memory the kernel may be busy with. */
const READ_MS = 500;

/**
 * Ask while the client waits for the reply: then its process is there.
 * @param {Hello} peer
 * @returns {Promise<Sender>} never rejects
 */
export async function senderOf({ role, user, pid }) {
  const name = { role: role.slice(0, MAX_NAME), user: user?.slice(0, MAX_NAME) ?? null };
  const read = (/** @type {string} */ file) =>
    pid === undefined || process.platform !== 'linux'
      ? ''
      : readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const reading = Promise.all(['status', 'loginuid', 'stat', 'cmdline'].map(read));
  const [status, loginUid, stat, commandLine] = (await within(reading, READ_MS)) ?? [];
  return {
    ...name,
    pid: pid ?? null,
    uid: numberIn(/^Uid:\s+(\d+)/m.exec(status ?? '')?.[1]),
    loginUid: numberIn(loginUid),
    terminal: terminalOf(stat ?? ''),
    command: commandOf(commandLine ?? ''),
  };
}

/** Of loginuid(5): nobody logged in. */
const NOBODY = 2 ** 32 - 1;

/** @param {string | undefined} text */
function numberIn(text) {
  const number = /^\d+$/.test(text ?? '') ? Number(text) : null;
  return number === NOBODY ? null : number;
}

/** Major numbers of terminals: Documentation/admin-guide/devices.txt of Linux. */
const TTY = 4;
const FIRST_PTS = 136;
const LAST_PTS = 143;

/** @param {string} stat proc(5); tty_nr is its seventh field, and the second may contain anything */
function terminalOf(stat) {
  const number = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4] ?? 0);
  const [major, minor] = [(number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xfff00)];
  if (major >= FIRST_PTS && major <= LAST_PTS) return `pts/${minor + (major - FIRST_PTS) * 256}`;
  return major === TTY ? `tty${minor}` : null;
}

/** @param {string} commandLine with a zero byte after each word */
function commandOf(commandLine) {
  const words = commandLine.split('\0').slice(0, -1);
  return words.length === 0 ? null : maskSecrets(words).join(' ').slice(0, MAX_COMMAND);
}
