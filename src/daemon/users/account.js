/** The accounts of the users that apps run as. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { readText } from '../../shared/files/inspect-path.js';

/** @typedef {Awaited<ReturnType<typeof accountOf>>} Account gid null: the user is in no database */

const LOOKUP_MS = 5000;
/** How these commands say that there is no such account, and that they are not installed. */
const NO_ACCOUNT = process.platform === 'darwin' ? [1, 'ENOENT'] : [2, 'ENOENT'];
const STANDARD_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Names seldom change, and a directory service is slow. @type {Map<number, Promise<string>>} */
const knownNames = new Map();

/** @param {number} uid @returns {Promise<string>} the number of one without a name; never rejects */
export async function nameOfUser(uid) {
  const known = knownNames.get(uid) ?? accountOf(uid).then(({ name }) => name);
  knownNames.set(uid, known);
  return known.catch(() => {
    knownNames.delete(uid);
    return String(uid);
  });
}

/** @param {number} uid @throws {Error} it is not known whether there is such an account */
export async function accountOf(uid) {
  const fields = (await entryOf(uid)).trim().split(':');
  const isKnown = fields.length >= 7 && Number(fields[2]) === uid;
  const [home, shell] = fields.slice(-2);
  return isKnown
    ? { uid, gid: Number(fields[3]), name: fields[0], home, shell: shell || '/bin/sh' }
    : { uid, gid: null, name: String(uid), home: '/', shell: '/bin/sh' };
}

/**
 * Nothing of the daemon's own environment, which may hold secrets of root.
 * @param {Account} account
 * @param {string} execPath of Node
 */
export function environmentOf({ name, home, shell }, execPath) {
  const directories = new Set([path.dirname(execPath), ...STANDARD_PATH.split(':')]);
  const PATH = [...directories].join(':');
  return { PATH, HOME: home, USER: name, LOGNAME: name, SHELL: shell };
}

/** As in passwd(5). `getent` and `id -P` also know the accounts of directory services. @param {number} uid */
async function entryOf(uid) {
  const [command, ...args] =
    process.platform === 'darwin' ? ['id', '-P', String(uid)] : ['getent', 'passwd', String(uid)];
  try {
    return (await promisify(execFile)(command, args, { timeout: LOOKUP_MS })).stdout;
  } catch (error) {
    const lines = readText('/etc/passwd').split('\n');
    const entry = lines.find((line) => line.split(':')[2] === String(uid)) ?? '';
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (entry !== '' || NO_ACCOUNT.includes(code ?? '')) return entry;
    throw new Error(`the account of user ${uid} could not be looked up`, { cause: error });
  }
}
