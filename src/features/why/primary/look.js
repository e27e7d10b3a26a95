/** Sees where the JavaScript of one worker is. */
import { refusalOf } from '../refusal.js';
import { isNode, setsInspector } from '../../../primary/launchers/node-args.js';
import { askAgent } from '../../../primary/worker/agent-link.js';
import { runInspector } from './inspector-process.js';
import { closeInspector, openInspector } from './open-inspector.js';

/**
 * @import { Stack } from '../../../protocol/shapes.js'
 * @import { WorkerHandle } from '../../../primary/worker/handle.js'
 * @import { Inspected } from './open-inspector.js'
 */

/** A worker that waited for its turn may not be blocked any more. */
const REPLY_MS = 100;
/** For the process to start, on a machine under load, and to do its work. */
const TIMEOUT_MS = 15_000;

/** @typedef {Inspected & WorkerHandle & {pid: number}} Running a worker with a process */

/**
 * @param {WorkerHandle} worker
 * @returns {Promise<{isResponsive: boolean, refusal: string | null}>} refusal: why its inspector must not be
 *   opened, in words that follow 'it'; null: it may be
 */
export async function canInspect(worker) {
  const { child, launch, inspected } = worker;
  const { interpreter, execMode } = launch.spec;
  const isNodeProgram = execMode === 'cluster' || isNode(interpreter);
  const isResponsive =
    isNodeProgram && child ? (await askAgent(child, 'inspection')) !== null : false;
  const refusal = refusalOf({
    // Read last: it may have begun to end while it was asked.
    ending: worker.status === 'stopping' ? (worker.failure ?? '') : null,
    program: isNodeProgram ? null : (interpreter ?? launch.script),
    isResponsive,
    isConnected: child?.connected ?? false,
    ownsSignal: inspected.ownsSignal,
    hasOwnInspector: setsInspector(launch.spec, launch.env),
  });
  return { isResponsive, refusal };
}

/**
 * Opens the inspector of a worker whose event loop is blocked, for less than a second, and closes it again.
 * @param {Running} worker
 * @returns {Promise<Stack>}
 */
export async function lookInside(worker) {
  if ((await askAgent(worker.child, 'inspection', { timeoutMs: REPLY_MS })) !== null) {
    return { state: 'running', frames: [], note: null, at: Date.now() };
  }
  const order = /** @type {const} */ ({ kind: 'stack', pid: worker.pid, needsSignal: true });
  let isSignalled = false;
  const result = await runInspector(order, TIMEOUT_MS, {
    open: () => {
      isSignalled = true;
      return openInspector(worker, { isResponsive: false });
    },
  });
  if (isSignalled) closeInspector(worker);
  const { state = 'unknown', frames = [], note = 'could not be looked into' } = result ?? {};
  return { state, frames, note, at: Date.now() };
}
