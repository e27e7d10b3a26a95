/**
 * The commands of the daemon. Each changes the desired state, waits until the actual state matches
 * or has failed to, and returns the outcome of every slot.
 */
import { NodeclusterError } from '../../errors/error.js';
import { joinKilled } from '../../lifecycle/killed.js';
import { poll } from '../../shared/deadline.js';
import { channelTo } from '../worker/channel.js';
import { mostWorkers } from './launch.js';
import { hasClients } from './listening.js';
import { untilStarted, untilStopped } from './outcome.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { PrimaryMethods, SentSlots } from '../../protocol/methods.js'
 * @import { SlotSelection } from '../../protocol/request.js'
 * @import { Outcome } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { App } from './app.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

/** For a program to read its stdin. */
const INPUT = { timeoutMs: 2000, everyMs: 20 };

/** @param {App} app @param {SlotSelection} params */
export function start(app, { slots: numbers }) {
  const slots = app.pool.slotsOf(numbers);
  for (const slot of slots) {
    if (!slot.isDesired || (slot.blocked && !app.isNew)) slot.setRunning(app.launch);
    // The daemon that started a primary may be killed before its first command, and the next one sends it much later.
    else if (!app.isNew || app.pool.desiredWorkerOf(slot)?.readiness.hasStayedUp) slot.retryNow();
    reportEarlier(app, slot);
  }
  app.isNew = false;
  return untilStarted(app, slots);
}

/**
 * A new primary starts its workers by itself; its first command reports what they did before.
 * @param {App} app
 * @param {Slot} slot
 */
function reportEarlier({ pool, isNew }, slot) {
  if (isNew && slot.hasFailed && slot.failureReport) pool.emit('progress', slot.failureReport);
  for (const worker of pool.workersOf(slot)) {
    if (isNew || worker.status === 'starting') worker.reportStart();
    if (isNew && worker.status === 'starting') worker.readiness.reportWait();
  }
}

/** @param {App} app @param {SlotSelection} params @returns {Promise<Outcome>} */
export function stop(app, { slots: numbers }) {
  return stopSlots(app, 'close', numbers);
}

/** @param {App} app @param {'keep' | 'close'} idle @param {number[]} [numbers] */
function stopSlots(app, idle, numbers) {
  const slots = app.pool.slotsOf(numbers);
  for (const slot of slots) slot.setStopped(idle);
  return untilStopped(app, slots);
}

/**
 * Stops everything for good: a command in progress can no longer start workers.
 * @param {App} app
 */
export async function shutdown(app) {
  app.pool.isEnding = true;
  const [outcome] = await Promise.all([stop(app, {}), app.previousWorkers.ended]);
  return outcome;
}

/**
 * For a shutdown in progress that takes too long.
 * @param {App} app
 * @param {boolean} kill whether workers that were asked to exit are killed
 */
export function hurry({ pool }, kill) {
  for (const worker of pool.workers.values()) {
    if (worker.isRetired) worker.end({ reason: 'its drain was ended early' });
    if (kill) worker.child?.kill('SIGKILL');
  }
  return null;
}

/**
 * Another primary serves the same sockets already: this one stops accepting, and its workers finish as
 * in a reload.
 * @param {App} app
 */
export async function retire(app) {
  await app.sockets.leaveToSuccessor(app.launch.spec.drainTimeoutMs);
  app.pool.isEnding = true;
  const [outcome] = await Promise.all([stopSlots(app, 'keep'), app.previousWorkers.ended]);
  return outcome;
}

/** @param {App} app @param {PrimaryMethods['restart']['params']} params */
export async function restart(app, { slots: numbers, spec, generation }) {
  const launch = app.nextLaunch(spec, generation);
  const slots = app.pool.slotsOf(numbers);
  const served = new Set(slots.filter((slot) => hasClients(app.pool, slot)));
  for (const slot of slots) slot.setStopped('close', { comesBack: true });
  const stopped = await untilStopped(app, slots);
  app.launch = launch;
  for (const slot of slots) {
    slot.setRunning(launch);
    slot.listensAgain = served.has(slot);
  }
  const started = await untilStarted(app, slots);
  return {
    ...started,
    longLivedCut: stopped.longLivedCut,
    killed: joinKilled(stopped.killed, started.killed),
    minReady: Math.min(stopped.minReady, started.minReady),
    durationMs: stopped.durationMs + started.durationMs,
  };
}

/**
 * @param {App} app
 * @param {PrimaryMethods['scale']['params']} params `slots`: all that the app has from now on
 */
export async function scale(app, { slots: numbers, spec }) {
  const { pool } = app;
  app.configure(spec);
  const surplus = [...pool.slots.values()].filter(({ number }) => !numbers.includes(number));
  const missing = numbers.filter((number) => !pool.slots.has(number));
  const added = missing.map((number) => pool.addSlot(number, app.launch));
  for (const slot of surplus) slot.setStopped('keep');
  const [started, stopped] = await Promise.all([
    untilStarted(app, added),
    untilStopped(app, surplus),
  ]);
  for (const { number } of surplus) pool.slots.delete(number);
  const durationMs = Math.max(started.durationMs, stopped.durationMs);
  const { longLivedCut, killed } = stopped;
  return { ...started, longLivedCut, killed, durationMs };
}

/**
 * Resets the counters of restarts and lost connections, and the window of deaths. Starts and stops
 * nothing.
 * @param {App} app
 * @param {SlotSelection} params
 * @returns {Promise<PrimaryMethods['reset']['result']>} when it was reported; `failed`: slots that stay blocked
 */
export async function reset(app, { slots: numbers }) {
  const slots = app.pool.slotsOf(numbers);
  for (const slot of slots) slot.reset();
  app.sockets.queues.givenUp = 0;
  // Whoever lists the app after the reply must see it.
  await app.pool.until(() => true);
  const failed = slots.flatMap(({ number, blocked, reason }) =>
    blocked ? [{ slot: number, reason: `stays ${blocked}: ${reason}`, lastLines: [] }] : [],
  );
  return { ok: true, done: slots.map(({ number }) => number), failed };
}

/**
 * A message to the programs, which receive it with `process.on('message')`.
 * @param {WorkerPool} pool
 * @param {{slots?: number[], message: unknown}} params
 * @returns {Promise<SentSlots>} slots that have an online worker
 */
export async function sendMessage(pool, { slots, message }) {
  const workers = workersIn(pool, slots).filter(({ status }) => status === 'online');
  return sendTo(workers, (child) => channelTo(child).deliver(message));
}

/**
 * @param {WorkerPool} pool
 * @param {{slots?: number[], signal: string}} params
 * @returns {Promise<SentSlots>} slots that have a process
 */
export async function sendSignal(pool, { slots, signal }) {
  const workers = workersIn(pool, slots).filter(({ isRunning }) => isRunning);
  const name = /** @type {NodeJS.Signals} */ (signal);
  return sendTo(workers, (child) => child.kill(name));
}

/**
 * To the stdin of a worker. Node keeps what the pipe does not take, so it gets no more before the program has read.
 * @param {App} app
 * @param {PrimaryMethods['input']['params']} params
 * @returns {Promise<null>}
 * @throws {NodeclusterError} E_INPUT_CLOSED, E_INPUT_UNREAD
 */
export async function writeInput({ name: app, pool }, { slot, text }) {
  const workers = workersIn(pool, [slot]).filter(
    ({ isRunning, isRetired }) => isRunning && !isRetired,
  );
  const { child, launch } = workers.at(-1) ?? {};
  const name = `${app}:${slot}`;
  const stdin = child?.stdin;
  if (!stdin?.writable) {
    const siblings = launch ? mostWorkers(launch.spec) - 1 : 0;
    throw new NodeclusterError('E_INPUT_CLOSED', {
      name,
      isRunning: child !== undefined,
      siblings,
    });
  }
  await poll(() => !stdin.writableNeedDrain, INPUT);
  if (stdin.writableNeedDrain) throw new NodeclusterError('E_INPUT_UNREAD', { name });
  stdin.write(text);
  return null;
}

/** @param {WorkerPool} pool @param {number[]} [slots] default: all */
function workersIn({ workers }, slots) {
  return [...workers.values()].filter(({ slot }) => !slots || slots.includes(slot));
}

/** @param {WorkerHandle[]} workers @param {(child: ChildProcess) => boolean | Promise<boolean>} send */
async function sendTo(workers, send) {
  const results = await Promise.all(workers.map(({ child }) => (child ? send(child) : false)));
  const slotsWith = (/** @type {boolean} */ result) =>
    workers.filter((_, index) => results[index] === result).map(({ slot }) => slot);
  return { sent: slotsWith(true), failed: slotsWith(false) };
}
