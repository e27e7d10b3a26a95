/** What can be asked of a primary over its socket. */
import { reset, restart, scale, shutdown, start, stop } from '../pool/commands.js';
import { sendMessage } from './messages.js';
import { reload, replaceWorkers } from '../pool/reload.js';
import { snapshotOf } from './snapshot.js';

/**
 * @import { PrimaryMethods } from '../../protocol/methods.js'
 * @import { Outcome, Progress } from '../../protocol/shapes.js'
 * @import { Handler, Handlers, RequestContext } from '../../protocol/wire.js'
 * @import { App } from '../pool/app.js'
 * @import { DaemonLink } from './daemon-link.js'
 */

/**
 * @param {App} app
 * @param {DaemonLink} daemonLink
 * @param {() => void} end called when the app has been shut down
 * @returns {Handlers<PrimaryMethods>}
 */
export function methodsOf(app, daemonLink, end) {
  const { pool } = app;
  /** @type {WeakSet<object>} */
  const subscribed = new WeakSet();
  return {
    subscribe: ({ after = 0 }, ctx) => {
      if (subscribed.has(ctx.peer)) return snapshotOf(app);
      subscribed.add(ctx.peer);
      if (ctx.peer.role === 'daemon') {
        daemonLink.connected(ctx);
        ctx.onClose(app.events.connect((event) => ctx.notify('event', event), after));
      }
      const tell = () => ctx.notify('state', snapshotOf(app));
      pool.on('change', tell);
      ctx.onClose(() => pool.off('change', tell));
      return snapshotOf(app);
    },
    bye: () => daemonLink.expectLoss(),
    start: exclusive('start', app, start),
    stop: exclusive('stop', app, stop),
    restart: exclusive('restart', app, restart),
    reload: exclusive('reload', app, reload),
    'replace-workers': exclusive('replace-workers', app, replaceWorkers),
    scale: exclusive('scale', app, scale),
    reset: (params) => reset(app, params),
    telemetry: (params) => app.telemetry.ask(params),
    'forward-program-events': ({ enabled }) => {
      app.events.hearsPrograms = enabled === true;
    },
    send: (params) => sendMessage(pool, params),
    configure: ({ spec }) => app.configure(spec),
    'reopen-logs': async () => ({ files: await pool.logs.reopen() }),
    'flush-logs': async () => ({ files: await pool.logs.empty(pool.slots.keys()) }),
    shutdown: async ({ hasSuccessor = false }, ctx) => {
      if (app.sockets) app.sockets.hasSuccessor = hasSuccessor;
      const outcome = await withProgress(app, ctx, () => shutdown(app));
      end();
      return outcome;
    },
  };
}

/** @typedef {{progress: Progress}} Notifications */

/**
 * @template {object} Params
 * @param {string} doing
 * @param {App} app
 * @param {(app: App, params: Params) => Promise<Outcome>} command
 * @returns {Handler<{params: Params, result: Outcome, notifications: Notifications}>}
 */
function exclusive(doing, app, command) {
  return (params, ctx) =>
    app.runExclusively(doing, () => withProgress(app, ctx, () => command(app, params)));
}

/**
 * @param {App} app
 * @param {RequestContext<Notifications>} ctx
 * @param {() => Promise<Outcome>} command
 */
async function withProgress({ pool }, ctx, command) {
  const tell = (/** @type {Progress} */ progress) => ctx.notify('progress', progress);
  pool.on('progress', tell);
  try {
    return await command();
  } finally {
    pool.off('progress', tell);
  }
}
