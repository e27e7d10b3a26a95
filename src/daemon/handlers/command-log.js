/** Commands that come, who sent them, and why they were refused: into the log of the daemon. */
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Handler, Method } from '../../protocol/wire.js'
 * @import { Log } from '../log.js'
 */

/** They only look, some of them every second. */
const LOOKING = ['list', 'describe', 'env', 'log-files', 'watch', 'metrics', 'events'];

/**
 * @param {Log} log
 * @param {string} method its name
 * @param {Handler<Method>} answer
 * @returns {Handler<Method>}
 */
export function loggedMethod(log, method, answer) {
  if (LOOKING.includes(method)) return answer;
  return async (params, ctx) => {
    const { role, version } = ctx.peer;
    log.info('command', { method, from: `${role} ${version}`, ...briefly(params) });
    try {
      return await answer(params, ctx);
    } catch (thrown) {
      const { code, message: reason } = NodeclusterError.from(thrown);
      log.warn('command.refused', { method, code, reason });
      throw thrown;
    }
  };
}

/**
 * Specs and environments are long and hold secrets.
 * @param {Record<string, any>} params not checked yet
 */
export function briefly({ specs, shellEnv: _shellEnv, updateEnv, ...rest }) {
  const apps = Array.isArray(specs) ? specs.map((spec) => spec?.name) : undefined;
  return { apps, updateEnv: updateEnv ? true : undefined, ...rest };
}
