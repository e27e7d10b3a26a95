/**
 * Looks into one worker through the inspector of Node: `node src/features/why/inspector/main.js <pid>`. Its primary starts
 * it, as the user of the worker, with a channel for messages.
 */
import { once } from 'node:events';
import { within } from '../../../shared/deadline.js';
import { exitAtOnce } from '../../../shared/processes/signal.js';
import { openSession } from './session.js';
import { describeNative, judgeSignal, readStack } from './stack.js';

/**
 * @import { Stack } from '../../../protocol/shapes.js'
 * @import { Opened } from '../primary-inspector.js'
 *
 * @typedef {Omit<Stack, 'at'>} StackResult
 */

/** For Node to open its inspector after the signal: at once, unless it is in a native call. */
const OPEN_MS = 2000;

void takeStack(Number(process.argv[2])).then((result) =>
  send({ type: 'result', ...result }, () => exitAtOnce()),
);

/** Without the primary nobody reads it. @param {object} message */
function send(message, done = () => {}) {
  process.send?.(message, undefined, {}, done);
}

/** @returns {Promise<Opened>} when the primary has opened the inspector */
async function askToOpen() {
  const replies = once(process, 'message');
  send({ type: 'open' });
  return (await replies)[0];
}

/** @param {number} pid @returns {Promise<StackResult>} */
async function takeStack(pid) {
  const refusal = judgeSignal(pid);
  if (refusal !== null) return { ...refusal, frames: [] };
  const { url, error } = (await within(askToOpen(), OPEN_MS)) ?? {};
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
