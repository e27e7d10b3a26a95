/** The methods of a primary. */
import { NodeclusterError } from '../errors/error.js';
import { primaryParams } from './checks.js';
import {
  hurry,
  reset,
  restart,
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
 * @import { Host } from './host.js'
 * @import { App } from './pool/app.js'
 *
 * @typedef {{progress: Progress}} Notifications
 */

/** @param {Host} host @returns {Handlers<Pick<PrimaryMethods, 'subscribe' | 'ping' | 'bye' | 'host'>>} those about the process */
export function methodsOfProcess(host) {
  return {
    subscribe: (params, ctx) => {
      checkParams('subscribe', params);
      return host.subscribe(params, ctx);
    },
    ping: (_params, ctx) => host.daemonLink.heardFrom(ctx.peer),
    bye: () => host.daemonLink.expectLoss(),
    host: (order) => {
      checkParams('host', order);
      return host.host(order);
    },
  };
}

/**
 * Those about one app, which each request names.
 * @param {Host} host
 * @param {App} first all have the same
 */
export function methodsOfApps(host, first) {
  /** @type {Record<string, Handler<any>>} */
  const methods = {};
  for (const method of /** @type {(keyof PrimaryMethods)[]} */ (Object.keys(first.methods))) {
    methods[method] = ({ app, ...params }, ctx) => {
      const hosted = host.app(app);
      if (!hosted) throw new NodeclusterError('E_PROTOCOL_PARAMS', { method, key: 'app' });
      checkParams(method, params, hosted.launch.spec);
      host.daemonLink.heardFrom(ctx.peer);
      return hosted.methods[method](params, ctx);
    };
  }
  return methods;
}

/** @param {App} app @returns {Record<string, Handler<any>>} without checks */
export function methodsOf(app) {
  const { pool, logs } = app;
  return {
    start: exclusive('start', app, start),
    stop: exclusive('stop', app, stop),
    restart: exclusive('restart', app, restart),
    reload: exclusive('reload', app, reload),
    scale: exclusive('scale', app, scale),
    reset: (params) => reset(app, params),
    telemetry: (params) => app.telemetry.request(params),
    send: (params) => sendMessage(pool, params),
    signal: (params) => sendSignal(pool, params),
    input: (params) => writeInput(app, params),
    ...app.features.methods,
    spec: () => ({ spec: app.launch.spec }),
    'reopen-logs': () => logs.reopen(),
    'rotate-logs': () => logs.rotate(),
    'flush-logs': () => logs.empty(pool.slots.keys()),
    hurry: ({ kill = false }) => hurry(app, kill),
    // Its workers may finish their requests.
    serve: async ({ previous }) => {
      app.serve();
      await app.previousWorkers.end(previous, app.launch.spec, false);
      return null;
    },
    shutdown: (params, ctx) => shutDown(app, params, ctx),
    abandon: () => {
      pool.isEnding = true;
      hurry(app, true);
      setImmediate(() => app.leave());
    },
  };
}

/** @param {App} app @param {PrimaryMethods['shutdown']['params']} params @param {RequestContext<Notifications>} ctx */
async function shutDown(app, params, ctx) {
  app.isEnding = true;
  const outcome = await withProgress(app, ctx, () => shutdown(app, params));
  setImmediate(() => app.end());
  return outcome;
}

/** @param {string} name @param {App} app @param {(app: App, params: any) => Promise<Outcome>} command @returns {Handler<any>} */
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
 * Everything of this user can connect, and a wrong slot or spec would cost the app its workers.
 * @throws E_PROTOCOL_PARAMS
 * @param {keyof PrimaryMethods} method
 * @param {Record<string, any>} params
 * @param {Readonly<Spec>} [current] of the app
 */
export function checkParams(method, params, current) {
  // An app keeps them as long as it lives.
  const fixed = /** @type {const} */ (['name', 'execMode']);
  const other = current && params.spec && fixed.find((key) => params.spec[key] !== current[key]);
  const key = primaryParams[method]?.(params) ?? (other ? `spec.${other}` : null);
  if (key !== null) throw new NodeclusterError('E_PROTOCOL_PARAMS', { method, key });
}
