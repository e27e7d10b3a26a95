/** The commands of the daemon: each changes the desired state, and waits until the actual one follows or has failed to. */
import { NodeclusterError } from '../../errors/error.js';
import { joinKilled } from '../../lifecycle/killed.js';
import { poll } from '../../shared/deadline.js';
import { channelTo } from '../worker/channel.js';
import { mostWorkers } from './launch.js';
import { untilStarted, untilStopped } from './outcome.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { PrimaryMethods, SentSlots } from '../../protocol/methods.js'
 * @import { SlotSelection } from '../../protocol/request.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { App } from './app.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

/** For a program to read its stdin. */
const INPUT = { timeoutMs: 2000, everyMs: 20 };

/** @param {App} app @param {SlotSelection} params */
export function start(app, { slots: numbers }) {
  const { pool, isNew } = app;
  const slots = pool.slotsOf(numbers);
  for (const slot of slots) {
    if (!slot.isDesired || (slot.blocked && !isNew)) slot.setRunning(app.launch);
    // The daemon that started a primary may be killed before its first command, and the next one sends it much later.
    else if (!isNew || slot.desiredWorker?.readiness.hasStayedUp) slot.retryNow();
    if (isNew) reportBefore(pool, slot);
    else for (const worker of slot.workers) if (worker.status === 'starting') worker.reportStart();
  }
  app.isNew = false;
  return untilStarted(pool, slots);
}

/** A new primary starts its workers by itself; its first command reports it. @param {WorkerPool} pool @param {Slot} slot */
function reportBefore(pool, { hasFailed, failureReport, workers }) {
  if (hasFailed && failureReport) pool.emit('progress', failureReport);
  for (const worker of workers) {
    worker.reportStart();
    if (worker.status === 'starting') worker.readiness.reportWait();
  }
}

/** @param {App} app @param {SlotSelection} params */
export function stop({ pool }, { slots }) {
  return stopSlots(pool, pool.slotsOf(slots), 'close');
}

/** @param {WorkerPool} pool @param {Slot[]} slots @param {'keep' | 'close'} idle */
function stopSlots(pool, slots, idle) {
  for (const slot of slots) slot.setStopped(idle);
  return untilStopped(pool, slots);
}

/**
 * Stops everything for good: a command in progress can no longer start workers.
 * @param {App} app
 * @param {PrimaryMethods['shutdown']['params']} params
 */
export async function shutdown({ pool, sockets, launch, previousWorkers }, { goesOn }) {
  const isElsewhere = goesOn === 'elsewhere';
  if (goesOn === 'later') sockets.handedOver.end();
  if (isElsewhere) await sockets.leaveToSuccessor(launch.spec.drainTimeoutMs);
  pool.isEnding = true;
  const stopped = stopSlots(pool, pool.slotsOf(), isElsewhere ? 'keep' : 'close');
  const [outcome] = await Promise.all([stopped, previousWorkers.ended]);
  return outcome;
}

/**
 * For a shutdown that takes too long.
 * @param {App} app
 * @param {boolean} kill also workers that were asked to exit
 */
export function hurry({ pool }, kill) {
  for (const worker of pool.workers) {
    if (worker.isRetired) worker.end({ reason: 'its drain was ended early' });
    if (kill) worker.child?.kill('SIGKILL');
  }
  return null;
}

/** @param {App} app @param {PrimaryMethods['restart']['params']} params */
export async function restart(app, { slots: numbers, spec, generation }) {
  const launch = app.nextLaunch(spec, generation);
  const slots = app.pool.slotsOf(numbers);
  const served = new Set(slots.filter(hasClients));
  for (const slot of slots) slot.setStopped('close', true);
  const stopped = await untilStopped(app.pool, slots);
  app.launch = launch;
  for (const slot of slots) {
    slot.setRunning(launch);
    slot.listensAgain = served.has(slot);
  }
  const started = await untilStarted(app.pool, slots);
  return {
    ...started,
    longLivedCut: stopped.longLivedCut,
    killed: joinKilled(stopped.killed, started.killed),
    minReady: Math.min(stopped.minReady, started.minReady),
    durationMs: stopped.durationMs + started.durationMs,
  };
}

/** Whether its worker has listened since it came online, or must listen again and is not online yet. @param {Slot} slot */
function hasClients({ workers, listensAgain }) {
  const isComing = listensAgain && workers.every(({ onlineAtMs }) => onlineAtMs === null);
  return isComing || workers.some(({ listening }) => listening.haveServed);
}

/** @param {App} app @param {PrimaryMethods['scale']['params']} params `slots`: all that the app has from now on */
export async function scale(app, { slots: numbers, spec }) {
  const { pool } = app;
  app.configure(spec);
  const surplus = pool.slotsOf().filter(({ number }) => !numbers.includes(number));
  const missing = numbers.filter((number) => !pool.slots.has(number));
  const added = missing.map((number) => pool.addSlot(number, app.launch));
  const [stopped, started] = await Promise.all([
    stopSlots(pool, surplus, 'keep'),
    untilStarted(pool, added),
  ]);
  for (const { number } of surplus) pool.slots.delete(number);
  const durationMs = Math.max(started.durationMs, stopped.durationMs);
  const { longLivedCut, killed } = stopped;
  return { ...started, longLivedCut, killed, durationMs };
}

/**
 * Resets counters, and the window of deaths; blocked slots stay so.
 * @param {App} app
 * @param {SlotSelection} params
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
 * For the programs.
 * @param {WorkerPool} pool
 * @param {{slots?: number[], message: unknown}} params
 */
export function sendMessage(pool, { slots, message }) {
  const workers = pool.workersIn(slots).filter(({ status }) => status === 'online');
  return sendTo(workers, (child) => channelTo(child).deliver(message));
}

/** @param {WorkerPool} pool @param {{slots?: number[], signal: string}} params */
export function sendSignal(pool, { slots, signal }) {
  const workers = pool.workersIn(slots).filter(({ isRunning }) => isRunning);
  return sendTo(workers, (child) => child.kill(/** @type {NodeJS.Signals} */ (signal)));
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
export async function writeInput({ name: app, pool }, { slot, text }) {
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
