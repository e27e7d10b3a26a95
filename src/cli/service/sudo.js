/** With sudo, whose apps are meant: those of root, or of the user who typed it? */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findAccount } from '../../shared/processes/account.js';
import { NodeclusterError } from '../../errors/error.js';
import { homePaths } from '../../shared/home.js';
import { maskLine } from '../../show/mask.js';

/**
 * @import { Service } from '../../boot/service.js'
 * @import { Context } from '../context.js'
 */

/**
 * @param {Context} context
 * @param {Service} service
 * @param {typeof findAccount} find
 * @throws {NodeclusterError} E_USAGE if only the other user has apps, and no user was named
 */
export function checkSudo({ command, options, env, note }, service, find = findAccount) {
  const user = env.SUDO_USER;
  const isQuestion = service.user === 'root' && typeof options.user !== 'string';
  if (!isQuestion || !user || user === 'root') return;
  const account = find(user);
  const home = account && path.join(account.home, '.nodecluster');
  // Some systems' sudo keeps HOME.
  if (home && hasApps(home) && (service.home === home || !hasApps(service.home))) {
    const detail = `root has no apps, but ${user} has: add --user ${user}, or --user root`;
    throw new NodeclusterError('E_USAGE', { detail, command });
  }
  note(`note: this is for the apps of root. For others: --user ${maskLine(user)}`);
}

/** @param {string} home */
function hasApps(home) {
  return existsSync(homePaths(home).desired);
}
