/** Which request goes where: one file a method. */
import { NodeclusterError } from '../../errors/error.js';
import { loggedMethod } from './command-log.js';
import { apply } from './apply.js';
import { remove } from './delete.js';
import { describe } from './describe.js';
import { env } from './env.js';
import { events } from './events.js';
import { kill } from './kill.js';
import { list } from './list.js';
import { flush, logFiles, reloadLogs } from './logs.js';
import { metrics } from './metrics.js';
import { ping } from './ping.js';
import { reload } from './reload.js';
import { reset } from './reset.js';
import { restart } from './restart.js';
import { resume } from './resume.js';
import { scale } from './scale.js';
import { send } from './send.js';
import { start } from './start.js';
import { stop } from './stop.js';
import { watch } from './watch.js';

/**
 * @import { DaemonMethods } from '../../protocol/methods.js'
 * @import { Handlers, Method, RequestContext } from '../../protocol/wire.js'
 * @import { World } from '../control/world.js'
 */

/**
 * @template {keyof DaemonMethods} K
 * @typedef {(world: World, params: DaemonMethods[K]['params'],
 *   ctx: RequestContext<DaemonMethods[K]['notifications']>) => DaemonMethods[K]['result']} Handler
 */
/**
 * @template {keyof DaemonMethods} K
 * @typedef {(world: World, params: DaemonMethods[K]['params'],
 *   ctx: RequestContext<DaemonMethods[K]['notifications']>) =>
 *   Promise<DaemonMethods[K]['result']>} AsyncHandler
 */

/** @type {{[K in Exclude<keyof DaemonMethods, 'ping'>]: Handler<K> | AsyncHandler<K>}} */
const handlers = {
  ...{ list, start, apply, resume, stop, restart, reload, delete: remove },
  ...{ scale, reset, describe, env, kill },
  ...{ flush, 'log-files': logFiles, 'reload-logs': reloadLogs },
  ...{ watch, metrics, events, send },
};

/**
 * @param {World} world
 * @param {Promise<void>} adopted until then nobody knows what runs, so requests wait for it
 * @returns {Handlers<DaemonMethods>}
 */
export function methodsOf(world, adopted) {
  /** @type {[string, (world: World, params: any, ctx: any) => unknown][]} */
  const all = Object.entries(handlers);
  const waiting = all.map(([name, handler]) => [
    name,
    loggedMethod(world.log, name, async (params, ctx) => {
      await adopted;
      if (world.ending) throw new NodeclusterError('E_DAEMON_ENDING');
      return handler(world, params, ctx);
    }),
  ]);
  return {
    ...Object.fromEntries(waiting),
    ping: (params, ctx) => ping(world, params, ctx),
  };
}
