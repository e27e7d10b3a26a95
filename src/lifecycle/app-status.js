/** @import { Status } from '../protocol/shapes.js' */

/** Problems come first: the first status that a worker has is the status of its app. */
export const STATUS_ORDER = /** @type {readonly Status[]} */ ([
  'errored',
  'unresponsive',
  'backoff',
  'unknown',
  'starting',
  'draining',
  'stopping',
  'online',
  'waiting',
  'exited',
  'stopped',
]);
