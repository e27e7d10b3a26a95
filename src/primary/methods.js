/** The methods of a primary. */
import { NodeclusterError } from '../errors/error.js';
import { primaryParams } from './checks.js';
import { snapshotOf } from './snapshot.js';
import {
  hurry,
  reset,
  restart,
  retire,
  scale,
  sendMessage,
  sendSignal,
  shutdown,
  start,
  stop,
  writeInput,
} from './pool/commands.js';
import { reload } from './pool/reload.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { PrimaryMethods } from '../protocol/methods.js'
 * @import { Outcome, Progress } from '../protocol/shapes.js'
 * @import { Handler, Handlers, RequestContext } from '../protocol/wire.js'
 * @import { HostedApp } from './hosted-app.js'
 * @import { App } from './pool/app.js'
 */

/** @typedef {{progress: Progress}} Notifications */

/**
 * @param {App} app
 * @param {HostedApp} hosted the same
 * @returns {Handlers<PrimaryMethods>}
 */
export function methodsOf(app, hosted) {
  const methods = uncheckedMethods(app, hosted);
  const checked = Object.entries(methods).map(([name, method]) => {
    /** @type {Handler<any>} */
    const handler = (params, ctx) => {
      checkParams(/** @type {keyof PrimaryMethods} */ (name), params, app.launch.spec);
      return method(params, ctx);
    };
    return [name, handler];
  });
  return Object.fromEntries(checked);
}

/** @param {App} app @param {HostedApp} hosted @returns {Handlers<PrimaryMethods>} */
function uncheckedMethods(app, hosted) {
  const { pool, events, logs, sockets } = app;
  return {
    subscribe: subscription(app, hosted),
    ping: () => {
      hosted.daemonLink.pinged();
      return null;
    },
    bye: () => hosted.daemonLink.expectLoss(),
    start: exclusive('start', app, start),
    stop: exclusive('stop', app, stop),
    restart: exclusive('restart', app, restart),
    reload: exclusive('reload', app, reload),
    scale: exclusive('scale', app, scale),
    reset: (params) => reset(app, params),
    telemetry: (params) => app.telemetry.request(params),
    'loop-times': () => app.telemetry.loopTimes(),
    'forward-program-events': ({ enabled }) => {
      events.forwardsPrograms = enabled;
    },
    send: (params) => sendMessage(pool, params),
    signal: (params) => sendSignal(pool, params),
    input: (params) => writeInput(app, params),
    ...app.features.methods,
    configure: ({ spec }) => app.configure(spec),
    spec: () => ({ spec: app.launch.spec }),
    'reopen-logs': () => logs.reopen(),
    'rotate-logs': () => logs.rotate(),
    'flush-logs': () => logs.empty(pool.slots.keys()),
    hurry: ({ kill = false }) => hurry(app, kill),
    retire: (_params, ctx) => endWith(app, hosted, ctx, retire),
    shutdown: ({ areSocketsHeld = false }, ctx) => {
      if (areSocketsHeld) sockets.handedOver.end();
      return endWith(app, hosted, ctx, shutdown);
    },
    abandon: () => hosted.abandon(),
    host: (params) => hosted.host(params),
  };
}

/**
 * @param {App} app
 * @param {HostedApp} hosted
 * @param {RequestContext<Notifications>} ctx
 * @param {(app: App) => Promise<Outcome>} command the last one
 */
async function endWith(app, hosted, ctx, command) {
  const outcome = await withProgress(app, ctx, () => command(app));
  setImmediate(() => hosted.end());
  return outcome;
}

/** @param {App} app @param {HostedApp} hosted @returns {Handler<PrimaryMethods['subscribe']>} */
function subscription(app, hosted) {
  const subscribers = new WeakSet();
  return (params, ctx) => {
    if (subscribers.has(ctx.peer)) return snapshotOf(app);
    subscribers.add(ctx.peer);
    if (ctx.peer.role === 'daemon') {
      hosted.connected(ctx, params);
      ctx.onClose(app.events.connect((event) => ctx.notify('event', event), params.after ?? 0));
    }
    const onChange = () => ctx.notify('state', snapshotOf(app));
    app.pool.on('change', onChange);
    ctx.onClose(() => app.pool.off('change', onChange));
    return snapshotOf(app);
  };
}

/**
 * @template {object} Params
 * @param {string} name
 * @param {App} app
 * @param {(app: App, params: Params) => Promise<Outcome>} command
 * @returns {Handler<{params: Params, result: Outcome, notifications: Notifications}>}
 */
function exclusive(name, app, command) {
  return (params, ctx) =>
    app.runExclusively(name, () => withProgress(app, ctx, () => command(app, params)));
}

/** @param {App} app @param {RequestContext<Notifications>} ctx @param {() => Promise<Outcome>} command */
async function withProgress({ pool }, ctx, command) {
  const onProgress = (/** @type {Progress} */ progress) => ctx.notify('progress', progress);
  pool.on('progress', onProgress);
  try {
    return await command();
  } finally {
    pool.off('progress', onProgress);
  }
}

/**
 * Checks the parameters of requests. The daemon sends none that are wrong, but everything of this
 * user can connect, and a wrong slot or spec would cost the app its workers.
 * @param {keyof PrimaryMethods} method
 * @param {{spec?: Spec}} params
 * @param {Readonly<Spec>} current of the app
 * @throws {NodeclusterError} E_PROTOCOL_PARAMS
 */
export function checkParams(method, params, current) {
  const key = primaryParams[method]?.(params) ?? differenceOf(params.spec ?? current, current);
  if (key !== null) throw new NodeclusterError('E_PROTOCOL_PARAMS', { method, key });
}

/** @param {Spec} spec @param {Readonly<Spec>} current @returns {string | null} what an app keeps as long as it lives */
function differenceOf({ name, execMode }, current) {
  if (name !== current.name) return 'spec.name';
  return execMode === current.execMode ? null : 'spec.execMode';
}
