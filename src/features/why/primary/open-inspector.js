/** Opens and closes the inspector of one worker. Another process talks to it. */
import { askAgent, requestClosedInspector } from '../../../primary/worker/agent-link.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { WorkerOutput } from '../../../primary/log/worker-output.js'
 */

/**
 * @typedef {{child: ChildProcess, output: WorkerOutput}} Inspected a worker
 * @typedef {{url?: string, wasOpen?: boolean, error?: string}} Opened `wasOpen`: somebody else uses it; `error`: in words that
 *   follow 'it'
 */

/** Programs can forge the address, to which another process connects. */
const LOCAL = /^ws:\/\/127\.0\.0\.1:\d{1,5}\/[\da-f-]{36}$/;
/** In words that follow 'it'. */
const ELSEWHERE = 'has its inspector open at another address than 127.0.0.1';

/** Workers that have not yet replied to the last request to close their inspector. @type {WeakSet<ChildProcess>} */
const closing = new WeakSet();

/**
 * @param {Inspected} worker
 * @param {object} how
 * @param {boolean} how.isResponsive false: its agent reads no request now
 * @param {boolean} [how.blocks] what follows blocks its event loop
 * @returns {Promise<Opened>} does not resolve while the worker is in a native call
 */
export async function openInspector({ child, output }, { isResponsive, blocks = false }) {
  const { inspectorLines: lines } = output;
  lines.expect();
  if (isResponsive) {
    lines.onOpen = () => {};
    const { url, wasOpen, error } =
      (await askAgent(child, 'open-inspector', { data: { blocks } })) ?? {};
    if (isLocal(url)) return { url, wasOpen: wasOpen === true };
    if (wasOpen) return { error: ELSEWHERE };
    return { error: `could not open its inspector: ${String(error ?? url).slice(0, 200)}` };
  }
  return new Promise((resolve) => {
    lines.onOpen = (url) => resolve(isLocal(url) ? { url } : { error: ELSEWHERE });
    child.kill('SIGUSR1');
  });
}

/**
 * Also closes what Node opens later: after a native call, or once more when the event loop turns.
 * @param {Inspected} worker
 */
export function closeInspector({ child, output }) {
  const { inspectorLines: lines } = output;
  const close = () => {
    if (closing.has(child)) return;
    closing.add(child);
    requestClosedInspector(child, () => {
      closing.delete(child);
      lines.end();
    });
  };
  lines.onOpen = close;
  close();
}

/** @param {unknown} url @returns {url is string} */
function isLocal(url) {
  return typeof url === 'string' && LOCAL.test(url);
}
