/** The methods of a primary. Each command changes the desired state, and waits until the actual one follows or has failed to. */
import { NodeclusterError } from '../errors/error.js';
import { poll } from '../shared/deadline.js';
import { primaryParams } from './checks.js';
import { mostWorkers } from './pool/launch.js';
import { counted, recordOutcome, untilStarted } from './pool/outcome.js';
import { reload } from './pool/reload.js';
import { requestTelemetry } from './worker/agent-link.js';
import { channelTo } from './worker/channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Spec } from '../config/spec.js'
 * @import { PrimaryMethods } from '../protocol/methods.js'
 * @import { SlotSelection } from '../protocol/shapes.js'
 * @import { Handler, Handlers } from '../protocol/wire.js'
 * @import { Host } from './host.js'
 * @import { App } from './pool/app.js'
 * @import { Result } from './pool/outcome.js'
 * @import { WorkerPool } from './pool/pool.js'
 * @import { Slot } from './pool/slot.js'
 * @import { WorkerHandle } from './worker/handle.js'
 */

/** For a program to read its stdin. */
const INPUT = { timeoutMs: 2000, everyMs: 20 };

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
    ...commandsOf(app),
    reset: (params) => reset(app, params),
    telemetry: (params) => requestTelemetry(app.pool, params),
    send: ({ slots, message }) => {
      const workers = pool.workersIn(slots).filter(({ status }) => status === 'online');
      return sendTo(workers, (child) => channelTo(child).deliver(message));
    },
    signal: ({ slots, signal }) => {
      const workers = pool.workersIn(slots).filter(({ isRunning }) => isRunning);
      return sendTo(workers, (child) => child.kill(signal));
    },
    input: (params) => writeInput(app, params),
    ...app.features.methods,
    spec: () => ({ spec: app.launch.spec }),
    'rotate-logs': () => logs.rotate(),
    'flush-logs': () => logs.empty(pool.slots.keys()),
    hurry: ({ kill = false }) => hurry(app, kill),
    // Its workers may finish their requests.
    serve: async ({ previous }) => {
      app.serve();
      await app.previousWorkers.end(previous, app.launch.spec, false);
      await app.noteWorkers();
      return null;
    },
    shutdown: async (params, ctx) => {
      const outcome = await recordOutcome(pool, ctx, () => shutdown(app, params));
      setImmediate(() => app.end());
      return outcome;
    },
    abandon: () => {
      pool.isEnding = true;
      hurry(app, true);
      setImmediate(() => app.leave());
    },
  };
}

/** @type {Record<string, (app: App, params: any) => Promise<Result>>} */
const COMMANDS = { start, stop, restart, reload, scale };

/** @param {App} app @returns {Record<string, Handler<any>>} */
function commandsOf(app) {
  const commands = Object.entries(COMMANDS).map(([name, command]) => {
    /** @type {Handler<any>} */
    const handle = (params, ctx) =>
      app.runExclusively(name, () => recordOutcome(app.pool, ctx, () => command(app, params)));
    return [name, handle];
  });
  return Object.fromEntries(commands);
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

/** @param {App} app @param {SlotSelection} params */
export function start(app, { slots: numbers }) {
  const { pool, isNew } = app;
  const slots = pool.slotsOf(numbers);
  for (const slot of slots) {
    if (!slot.isDesired || (slot.blocked && !isNew)) slot.setRunning(app.launch);
    // The daemon that started a primary may be killed before its first command, and the next one sends it much later.
    else if (!isNew || slot.desiredWorker?.readiness.hasStayedUp) slot.retryNow();
    // A new primary starts its workers by itself; its first command reports it.
    const { hasFailed, failureReport, workers } = slot;
    if (isNew && hasFailed) pool.emit('progress', failureReport);
    const reported = workers.filter(({ status }) => isNew || status === 'starting');
    for (const worker of reported) worker.reportStart();
  }
  app.isNew = false;
  return untilStarted(pool, slots);
}

/** @param {App} app @param {SlotSelection} params */
function stop({ pool }, { slots }) {
  return emptySlots(pool, pool.slotsOf(slots), 'close');
}

/** @param {WorkerPool} pool @param {Slot[]} slots @param {Parameters<Slot['setStopped']>} how @returns {Promise<Result>} */
async function emptySlots(pool, slots, ...how) {
  for (const slot of slots) slot.setStopped(...how);
  await pool.until(() => slots.every(({ workers }) => workers.length === 0));
  return { done: slots };
}

/**
 * Stops everything for good: a command in progress can no longer start workers.
 * @param {App} app
 * @param {PrimaryMethods['shutdown']['params']} params
 */
export async function shutdown(app, { goesOn }) {
  const { pool, sockets, launch, previousWorkers } = app;
  app.isEnding = true;
  const isElsewhere = goesOn === 'elsewhere';
  if (goesOn === 'later') sockets.handedOver.hasEnded = true;
  if (isElsewhere) await sockets.leaveToSuccessor(launch.spec.drainTimeoutMs);
  pool.isEnding = true;
  const stopped = emptySlots(pool, pool.slotsOf(), isElsewhere ? 'keep' : 'close');
  const [result] = await Promise.all([stopped, previousWorkers.ended]);
  return result;
}

/**
 * For a shutdown that takes too long.
 * @param {App} app
 * @param {boolean} kill also workers that were asked to exit
 */
function hurry({ pool }, kill) {
  for (const worker of pool.workers) {
    if (worker.isRetired) worker.end({ reason: { kind: 'hurried' } });
    if (kill) worker.child?.kill('SIGKILL');
  }
  return null;
}

/** @param {App} app @param {PrimaryMethods['restart']['params']} params */
async function restart(app, { slots: numbers, spec, generation }) {
  const { pool } = app;
  const launch = app.nextLaunch(spec, generation);
  const slots = pool.slotsOf(numbers);
  // Its worker has listened since it came online, or must listen again and is not online yet.
  const hasClients = (/** @type {Slot} */ { workers, listensAgain }) =>
    (listensAgain && workers.every(({ onlineAtMs }) => onlineAtMs === null)) ||
    workers.some(({ listening }) => listening.haveServed);
  const served = new Set(slots.filter(hasClients));
  await emptySlots(pool, slots, 'close', true);
  app.launch = launch;
  for (const slot of slots) {
    slot.setRunning(launch);
    slot.listensAgain = served.has(slot);
  }
  return untilStarted(pool, slots);
}

/** @param {App} app @param {PrimaryMethods['scale']['params']} params `slots`: all that the app has from now on */
async function scale(app, { slots: numbers, spec }) {
  const { pool } = app;
  app.configure(spec);
  const surplus = pool.slotsOf().filter(({ number }) => !numbers.includes(number));
  const missing = numbers.filter((number) => !pool.slots.has(number));
  const added = missing.map((number) => pool.addSlot(number, app.launch));
  // Those that are added start meanwhile.
  await emptySlots(pool, surplus, 'keep');
  const workers = counted(pool.slotsOf()).filter((slot) => added.includes(slot));
  const result = await untilStarted(pool, workers);
  for (const { number } of surplus) pool.slots.delete(number);
  return result;
}

/**
 * Resets counters, and the window of deaths; blocked slots stay so.
 * @param {App} app
 * @param {SlotSelection} params
 */
async function reset(app, { slots: numbers }) {
  const slots = app.pool.slotsOf(numbers);
  for (const slot of slots) slot.reset();
  app.sockets.queues.givenUp = 0;
  // Whoever lists the app after the reply must see it.
  await app.pool.until(() => true);
  const failed = slots.flatMap(({ number: slot, blocked: stays, reason }) =>
    stays && reason ? [{ slot, reason, stays, lastLines: [] }] : [],
  );
  return { ok: true, done: slots.map(({ number }) => number), failed };
}

/**
 * @param {WorkerHandle[]} workers
 * @param {(child: ChildProcess) => boolean | Promise<boolean>} send
 */
async function sendTo(workers, send) {
  const results = await Promise.all(workers.map(({ child }) => (child ? send(child) : false)));
  const slotsWith = (/** @type {boolean} */ result) =>
    workers.filter((_, index) => results[index] === result).map(({ slot }) => slot);
  return { sent: slotsWith(true), failed: slotsWith(false) };
}

/**
 * To the stdin of a worker. Node keeps what the pipe does not take, so it gets no more before the program has read.
 * @param {App} app
 * @param {PrimaryMethods['input']['params']} params
 * @throws E_INPUT_CLOSED, E_INPUT_UNREAD
 */
async function writeInput({ name: app, pool }, { slot, text }) {
  const { child, launch } =
    pool.workersIn([slot]).findLast(({ isRunning, isRetired }) => isRunning && !isRetired) ?? {};
  const name = `${app}:${slot}`;
  const stdin = child?.stdin;
  if (!stdin?.writable) {
    const siblings = launch ? mostWorkers(launch.spec) - 1 : 0;
    const isRunning = child !== undefined;
    throw new NodeclusterError('E_INPUT_CLOSED', { name, isRunning, siblings });
  }
  await poll(() => !stdin.writableNeedDrain, INPUT);
  if (stdin.writableNeedDrain) throw new NodeclusterError('E_INPUT_UNREAD', { name });
  stdin.write(text);
  return null;
}
