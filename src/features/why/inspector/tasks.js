/** Where a blocked worker is, step by step. */
import { within } from '../../../shared/deadline.js';
import { describeNative, judgeSignal, readStack } from './stack.js';
import { openSession } from './session.js';

/**
 * @import { Stack } from '../../../protocol/shapes.js'
 * @import { Opened } from '../primary-inspector.js'
 *
 * @typedef {Omit<Stack, 'at'>} StackResult
 */

/** For Node to open its inspector after the signal: at once, unless it is in a native call. */
const OPEN_MS = 2000;

/**
 * @param {number} pid
 * @param {() => Promise<Opened>} open asks the primary to open the inspector
 * @returns {Promise<StackResult>}
 */
export async function takeStack(pid, open) {
  const refusal = judgeSignal(pid);
  if (refusal !== null) return { ...refusal, frames: [] };
  const { url, error } = (await within(open(), OPEN_MS)) ?? {};
  if (error !== undefined) return { state: 'unknown', frames: [], note: error };
  if (url === undefined) return withoutFrames(pid);
  try {
    const session = await openSession(url);
    const frames = await readStack(session);
    await session.closeInspector();
    return frames ? { state: 'blocked', frames, note: null } : await withoutFrames(pid);
  } catch (thrown) {
    const note = `could not be seen: ${/** @type {Error} */ (thrown).message}`;
    return { state: 'unknown', frames: [], note };
  }
}

/** @param {number} pid @returns {Promise<StackResult>} */
async function withoutFrames(pid) {
  return { state: 'native', frames: [], note: await describeNative(pid) };
}
