/** The methods of the daemon's socket: commands and queries. */
import { NodeclusterError } from '../../errors/error.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { VERSION } from '../../shared/version.js';
import { describe } from '../queries/describe.js';
import { env } from '../queries/env.js';
import { events } from '../queries/events.js';
import { list } from '../queries/list.js';
import { logFiles } from '../queries/log-files.js';
import { metrics } from '../queries/metrics.js';
import { probe } from '../queries/probe.js';
import { watch } from '../queries/watch.js';
import { COMMANDS } from './commands.js';
import { runCommand } from './run-command.js';

/**
 * @import { DaemonMethods } from '../../protocol/methods.js'
 * @import { Handler as Method, Handlers, RequestContext } from '../../protocol/wire.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Log } from '../log.js'
 * @import { TargetCommand } from './commands.js'
 */

/**
 * @template {keyof DaemonMethods} K
 * @typedef {(daemon: Daemon, params: DaemonMethods[K]['params'],
 *   ctx: RequestContext<DaemonMethods[K]['notifications']>) =>
 *   Promise<DaemonMethods[K]['result']>} Handler
 */

/**
 * They only read, and clients send some of them every second, so daemon.log omits them.
 * @satisfies {{[K in keyof DaemonMethods]?: Handler<K>}}
 */
const QUERIES = { list, describe, env, 'log-files': logFiles, watch, metrics, probe, events };

/**
 * @param {Daemon} daemon
 * @param {Promise<unknown>} adopted requests wait for it: before, the daemon does not know what runs
 * @returns {Handlers<DaemonMethods>}
 */
export function methodsOf(daemon, adopted) {
  /** @type {Record<string, Method<any>>} */
  const methods = { ping: () => ping(daemon) };
  for (const [name, query] of Object.entries(QUERIES)) {
    methods[name] = afterAdoption(daemon, adopted, query);
  }
  for (const command of COMMANDS) {
    const handler = 'answer' in command ? command.answer : targetHandler(command);
    const method = afterAdoption(daemon, adopted, handler);
    methods[command.name] = loggedMethod(daemon.log, command.name, method);
  }
  for (const [name, handler] of Object.entries(daemon.features.methods)) {
    methods[name] = loggedMethod(daemon.log, name, afterAdoption(daemon, adopted, handler));
  }
  return /** @type {Handlers<DaemonMethods>} */ (methods);
}

/** @param {TargetCommand} command @returns {Handler<any>} */
function targetHandler(command) {
  return (daemon, params, ctx) => runCommand(daemon, command, params, ctx);
}

/** @param {Daemon} daemon */
function ping({ output }) {
  const uptimeMs = Math.round(performance.now());
  const { pid, version: node } = process;
  const isForeground = output !== null;
  return { pid, version: VERSION, node, uptimeMs, root: PACKAGE_ROOT, isForeground };
}

/**
 * @param {Daemon} daemon
 * @param {Promise<unknown>} adopted
 * @param {Handler<any>} handler
 * @returns {Method<any>}
 */
function afterAdoption(daemon, adopted, handler) {
  return async (params, ctx) => {
    await adopted;
    if (daemon.isEnding) throw new NodeclusterError('E_DAEMON_ENDING');
    return handler(daemon, params, ctx);
  };
}

/**
 * @param {Log} log
 * @param {string} name
 * @param {Method<any>} method
 * @returns {Method<any>} which logs each request, and why it was refused
 */
function loggedMethod(log, name, method) {
  return async (params, ctx) => {
    const { role, version } = ctx.peer;
    const command = { method: name, from: `${role} ${version}` };
    log.info('command', { ...command, ...briefly(params), ...command });
    try {
      return await method(params, ctx);
    } catch (thrown) {
      const { code, message: reason } = NodeclusterError.from(thrown);
      log.warn('command.refused', { method: name, code, reason });
      throw thrown;
    }
  };
}

/**
 * Specs, environments and messages to programs are long and contain secrets.
 * @param {Record<string, any>} params not checked yet
 */
function briefly({ specs, shellEnv: _shellEnv, updateEnv, message: _message, ...rest }) {
  const apps = Array.isArray(specs) ? specs.map((spec) => spec?.name) : undefined;
  return { apps, updateEnv: updateEnv ? true : undefined, ...rest };
}
