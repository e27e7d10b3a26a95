/** As whom, where and with which variables the command of an alarm runs: as the program of its app. */
import { isOtherUser } from '../../../shared/home.js';
import { environmentOf } from '../../users/daemon/account.js';
import { userOf } from '../../users/daemon/user-primary.js';

/**
 * @import { Spec } from '../../../config/spec.js'
 * @import { CommandContext } from '../../../shared/processes/bounded-command.js'
 */

/**
 * @param {Spec} spec
 * @param {string} home in which `nodecluster` finds this daemon, unless another user runs the command
 * @returns {Promise<CommandContext>}
 * @throws {NodeclusterError} E_USER_GROUP
 */
export async function commandContext(spec, home) {
  const { uid, gid, cwd } = spec;
  if (!isOtherUser(uid) || uid === null) {
    const env = { ...appVariables(spec), NODECLUSTER_HOME: home };
    return { cwd, env, ...(gid !== null && { gid }) };
  }
  const { account, user } = await userOf(spec, uid);
  const env = { ...environmentOf(account, process.execPath), ...appVariables(spec) };
  return { cwd, env, ...user };
}

/** @param {Spec} spec @returns {Record<string, string>} of its environment */
export function appVariables({ shellEnv, env }) {
  return { ...shellEnv, ...env };
}
