/** Users and groups of the machine: node:child_process takes numbers, people write names. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * @param {'user'|'group'} kind
 * @param {string} name
 * @returns {number|null} null for a name that the machine does not know
 */
export function accountId(kind, name) {
  return kind === 'user' ? ask('-u', name) : (groupInFile(name) ?? ask('-g', name));
}

/**
 * @param {number} uid
 * @returns {number|null} the group that this user logs in with; null when nobody has that number
 */
export function primaryGroup(uid) {
  return ask('-g', String(uid));
}

/**
 * `id` knows the accounts of directories (LDAP and the like) too.
 * @param {'-u'|'-g'} what
 * @param {string} name
 */
function ask(what, name) {
  try {
    return Number(execFileSync('id', [what, '--', name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return null;
  }
}

/** @param {string} name */
function groupInFile(name) {
  try {
    const entries = readFileSync('/etc/group', 'utf8').split('\n');
    const id = entries.map((line) => line.split(':')).find(([group]) => group === name)?.[2];
    return id === undefined ? null : Number(id);
  } catch {
    return null;
  }
}
