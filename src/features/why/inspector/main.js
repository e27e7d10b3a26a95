/** Looks into the worker of this pid through the inspector of Node. Its primary starts it, as the user of the worker. */
import { once } from 'node:events';
import { within } from '../../../shared/deadline.js';
import { exitAtOnce } from '../../../shared/processes/signal.js';
import { describeNative, judgeSignal, openSession, readStack } from './stack.js';

/**
 * @import { Stack } from '../../../protocol/shapes.js'
 * @import { Opened } from '../primary-inspector.js'
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

/** @param {number} pid @returns {Promise<Partial<Stack>>} */
async function takeStack(pid) {
  const refusal = judgeSignal(pid);
  if (refusal !== null) return refusal;
  const replies = once(process, 'message');
  send({ type: 'open' });
  /** @type {Opened} */
  const { url, error } = (await within(replies, OPEN_MS))?.[0] ?? {};
  if (error !== undefined) return { note: error };
  try {
    const session = url === undefined ? null : await openSession(url);
    const frames = session && (await readStack(session));
    await session?.closeInspector();
    if (frames) return { state: 'blocked', frames, note: null };
  } catch (thrown) {
    return { note: `could not be seen: ${/** @type {Error} */ (thrown).message}` };
  }
  return { state: 'native', note: await describeNative(pid) };
}
