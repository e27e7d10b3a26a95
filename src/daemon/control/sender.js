/** Who asks for a change: what the system says of the process that a client names as its own. */
import { readFile, readlink } from 'node:fs/promises';
import { isIP } from 'node:net';
import { within } from '../../shared/deadline.js';
import { maskCommand, maskText } from '../../shared/secrets.js';
import { shortText } from '../../shared/quoting.js';
import { nameOfUser } from '../users/account.js';

/**
 * @import { Hello } from '../../protocol/wire.js'
 * @import { Sender } from '../../protocol/shapes.js'
 */

/** Characters. */
const MAX_NAME = 64;
const MAX_COMMAND = 1000;
const MAX_TEXT = 200;
/** Of a file of a process. */
const MAX_FACT = 4096;
const MAX_ENVIRONMENT = 256 * 1024;
/** ms for a file of a process, whose memory the kernel may be busy with, and for the names of users. */
const READ_MS = 500;

/**
 * Ask while the client waits for the reply: then its process is there.
 * @param {Pick<Hello, 'role' | 'user' | 'pid'>} peer
 * @returns {Promise<Sender>} never rejects
 */
export async function senderOf({ role, user, pid }) {
  const own = factsOf(pid);
  const [status, loginUid, stat] = await Promise.all(
    ['status', 'loginuid', 'stat'].map((file) => own(file)),
  );
  const { parent, terminal } = statOf(stat);
  const ofParent = factsOf(parent);
  const uids = [/^Uid:\s+(\d+)/m.exec(status)?.[1], loginUid].map(numberIn);
  const [command, parentCommand, cwd, environments, names] = await Promise.all([
    commandOf(own, MAX_COMMAND),
    commandOf(ofParent, MAX_TEXT),
    directoryOf(pid),
    Promise.all([own, ofParent].map((read) => read('environ', MAX_ENVIRONMENT))),
    Promise.all(uids.map(nameOf)),
  ]);
  return {
    role: shortText(role, MAX_NAME),
    user: user === undefined ? null : shortText(user, MAX_NAME),
    pid: pid ?? null,
    uid: uids[0],
    account: names[0],
    loginUid: uids[1],
    login: names[1],
    terminal,
    origin: originIn(environments),
    cwd,
    parent: parentCommand,
    command,
  };
}

/**
 * @typedef {(file: string, maxLength?: number) => Promise<string>} Read the beginning of a file of a process; '': it is not
 *   known; never rejects
 */

/** @param {number | null | undefined} pid @returns {Read} */
function factsOf(pid) {
  return async (file, maxLength = MAX_FACT) => {
    if (!isInspectable(pid)) return '';
    const reading = readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
    return ((await within(reading, READ_MS)) ?? '').slice(0, maxLength);
  };
}

/** @param {number | null | undefined} pid @returns {pid is number} */
function isInspectable(pid) {
  return Boolean(pid) && process.platform === 'linux';
}

/** @param {number | undefined} pid */
async function directoryOf(pid) {
  if (!isInspectable(pid)) return null;
  const found = await within(readlink(`/proc/${pid}/cwd`), READ_MS).catch(() => null);
  return found && shortText(maskText(found), MAX_TEXT);
}

/** @param {number | null} uid */
async function nameOf(uid) {
  const name = uid === null ? null : await within(nameOfUser(uid), READ_MS);
  return name && shortText(name, MAX_NAME);
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

/** @param {string} stat proc(5): the parent is its fourth field, tty_nr the seventh, and the second may contain anything */
function statOf(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const number = Number(fields[4] ?? 0);
  const [major, minor] = [(number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xfff00)];
  const isPts = major >= FIRST_PTS && major <= LAST_PTS;
  const console = major === TTY ? `tty${minor}` : null;
  const terminal = isPts ? `pts/${minor + (major - FIRST_PTS) * 256}` : console;
  return { parent: numberIn(fields[1]), terminal };
}

/**
 * A word that was not read to its end is left out: it may be a secret that only the whole word shows to be one.
 * @param {Read} read
 * @param {number} maxLength
 */
async function commandOf(read, maxLength) {
  const commandLine = await read('cmdline');
  if (commandLine === '') return null;
  const isWhole = commandLine.length < MAX_FACT;
  // A process that has given itself a title fills the rest with zeros.
  const words = commandLine.replace(/\0+$/, '').split('\0');
  const line = isWhole ? maskCommand(words) : `${maskCommand(words.slice(0, -1))} …`;
  return shortText(line, maxLength);
}

/** @param {readonly string[]} environments */
function originIn(environments) {
  const found = environments.map((text) => /(?:^|\0)SSH_CONNECTION=([^\0 ]*)/.exec(text)?.[1]);
  return found.find((address) => address !== undefined && isIP(address) !== 0) ?? null;
}
