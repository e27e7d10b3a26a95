/**
 * `readableAll` and `writableAll` of a unix socket: node:cluster (Node 20 to 26) ignores them where workers
 * accept, and then a proxy of another user could not connect.
 */

/** As in libuv: https://docs.libuv.org/en/v1.x/pipe.html#c.uv_pipe_chmod. */
const READABLE = 1;
const WRITABLE = 2;

/**
 * @param {any} request of a worker to listen. Programs can forge it
 * @returns {number} who else may connect, as the system's handle takes it; 0: nobody
 */
export function modeOf({ readableAll, writableAll }) {
  return (readableAll === true ? READABLE : 0) | (writableAll === true ? WRITABLE : 0);
}
