/** The methods of the daemon's socket: commands and queries. */
import { NodeclusterError } from '../../errors/error.js';
import { withoutOthers } from '../../shared/checks.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { VERSION } from '../../shared/version.js';
import { env, list, listApps, logFiles } from '../queries/apps.js';
import { events, watch } from '../queries/live.js';
import { requestParams } from '../checks.js';
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
const QUERIES = { list, env, 'log-files': logFiles, watch, events };

/**
 * @param {Daemon} daemon
 * @param {Promise<unknown>} adopted requests wait for it: before, the daemon does not know what runs
 */
export function methodsOf(daemon, adopted) {
  /** @type {Record<string, Method<any>>} */
  const methods = { ping: () => ping(daemon) };
  for (const [name, query] of Object.entries(QUERIES)) {
    methods[name] = afterAdoption(daemon, adopted, name, query);
  }
  for (const command of COMMANDS) {
    const handler = withTable('answer' in command ? command.answer : targetHandler(command));
    const method = afterAdoption(daemon, adopted, command.name, handler);
    methods[command.name] = loggedMethod(daemon.log, command.name, method);
  }
  for (const [name, handler] of Object.entries(daemon.features.methods)) {
    methods[name] = loggedMethod(
      daemon.log,
      name,
      afterAdoption(daemon, adopted, name, withTable(handler)),
    );
  }
  return /** @type {Handlers<DaemonMethods>} */ (methods);
}

/** @param {TargetCommand} command @returns {Handler<any>} */
function targetHandler(command) {
  return (daemon, params, ctx) => runCommand(daemon, command, params, ctx);
}

/** @param {Handler<any>} handler @returns {Handler<any>} whose reply has the records of all apps too, if they are asked for */
function withTable(handler) {
  return async (daemon, { table: fields, ...params }, ctx) => {
    const result = await handler(daemon, params, ctx);
    if (!fields) return result;
    const { apps: table } = await listApps(daemon, daemon.table.all(), { fields });
    return { ...result, table };
  };
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
 * @param {string} name
 * @param {Handler<any>} handler gets no other parameters than those that its method declares
 * @returns {Method<any>} which throws E_REQUEST_INVALID if one of these is not valid
 */
function afterAdoption(daemon, adopted, name, handler) {
  const check = requestParams[/** @type {keyof DaemonMethods} */ (name)];
  return async (params, ctx) => {
    await adopted;
    if (daemon.isEnding) throw new NodeclusterError('E_DAEMON_ENDING');
    const fault = check(params);
    if (fault === null) return handler(daemon, withoutOthers(params, check), ctx);
    throw new NodeclusterError('E_REQUEST_INVALID', { what: `${fault} of ${name} is not valid` });
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
function briefly({ specs, shellEnv: _env, updateEnv, message: _message, table: _table, ...rest }) {
  const apps = Array.isArray(specs) ? specs.map((spec) => spec?.name) : undefined;
  return { apps, updateEnv: updateEnv ? true : undefined, ...rest };
}
