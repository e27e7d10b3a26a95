/**
 * When a worker has ended for node:cluster too. While a handle is on its way to a dead worker, Node waits for
 * its acknowledgement and does not report the channel's end. So node:cluster would keep the worker, and its
 * connection, forever.
 */

/** @import { ChildProcess } from 'node:child_process' */

const CHANNEL_END_TIMEOUT_MS = 200;

/**
 * @param {ChildProcess} child
 * @param {() => void} callback once it has exited and its channel has ended
 */
export function watchEnd(child, callback) {
  child.once('exit', () => {
    // node:cluster removes the worker after both its exit and the end of its channel.
    if (!child.connected) return setImmediate(callback);
    const timer = setTimeout(() => endChannel(child), CHANNEL_END_TIMEOUT_MS);
    child.once('disconnect', () => {
      clearTimeout(timer);
      setImmediate(callback);
    });
  });
}

/** @param {ChildProcess} child that has exited */
function endChannel(child) {
  let isReported = false;
  child.once('disconnect', () => (isReported = true));
  if (child.connected) child.disconnect();
  setImmediate(() => !isReported && child.emit('disconnect'));
}
