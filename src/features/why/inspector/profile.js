/** Takes a CPU profile or a heap snapshot of a worker, and passes it on piece by piece. */
import { within } from '../../../shared/deadline.js';

/** @import { Session } from './session.js' */

/** Characters of a profile that are passed on at a time. */
const PIECE = 64 * 1024;

/** @typedef {(text: string) => Promise<void>} Write resolves when it may have more */

/**
 * @param {Session} session
 * @param {object} order
 * @param {number} order.durationMs
 * @param {Promise<void>} order.stopped ends it early, as the end of the program does
 * @param {Write} write
 * @returns {Promise<boolean>} whether the program has ended and waits for the end of the session
 * @throws {Error} the worker has exited
 */
export async function recordCpu(session, { durationMs, stopped }, write) {
  // A program that has come to its end waits for this session, and would wait for the whole time.
  const exiting = session.next('NodeRuntime.waitingForDisconnect');
  await session.request('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true });
  await session.request('Profiler.enable');
  await session.request('Profiler.start');
  let hasEnded = false;
  void exiting.then(() => (hasEnded = true));
  await within(Promise.race([stopped, exiting, session.closed]), durationMs);
  const { profile } = await session.request('Profiler.stop');
  const text = JSON.stringify(profile);
  for (let at = 0; at < text.length; at += PIECE) await write(text.slice(at, at + PIECE));
  return hasEnded;
}

/**
 * The worker answers nothing meanwhile.
 * @param {Session} session
 * @param {Write} write
 * @returns {Promise<false>} as above
 * @throws {Error} the worker has exited
 */
export async function recordHeap(session, write) {
  // While this is awaited no further piece is read, so they do not pile up here.
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => write(chunk));
  await session.request('HeapProfiler.enable');
  await session.request('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  return false;
}
