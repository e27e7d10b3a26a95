/** What a worker has as its stdin, and what its end says of its exit. */
import { mostWorkers } from '../pool/launch.js';
import { channelTo } from './channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Spec } from '../../config/spec.js'
 * @import { PastExit } from '../../protocol/shapes.js'
 */

/** What ends later than this after it was loaded has read an empty stdin and done something else since. */
const AT_ONCE_MS = 1000;

/**
 * Programs that read it end at its end, so it stays open. Not for a job, which would wait for lines that nobody writes,
 * and not where several workers serve the same port: a line is meant for one of them.
 * @param {Pick<Spec, 'execMode' | 'instances' | 'onDemand'>} spec
 * @param {number} [input] the stdin of `run`, for a worker that has no siblings
 */
export function stdinOf(spec, input) {
  if (spec.onDemand) return 'ignore';
  if (mostWorkers(spec) <= 1) return input ?? 'pipe';
  return spec.execMode === 'fork' ? 'pipe' : 'ignore';
}

/** When this primary is killed, a program that ends at the end of its stdin must still finish its requests. @param {ChildProcess} child */
export function keepStdinOpen(child) {
  const { stdin, pid } = child;
  if (!stdin || pid === undefined) return;
  // The program may close it.
  stdin.on('error', () => {});
  const { _handle: socket } = /** @type {{_handle?: object}} */ (/** @type {unknown} */ (stdin));
  channelTo(child).send('stdin', {}, { socket });
}

/**
 * @param {ChildProcess} child
 * @param {Spec} spec
 * @returns {(how: Pick<PastExit, 'code'>) => Pick<PastExit, 'stdinEnded'>} what to add to its exit
 */
export function watchStdin(child, spec) {
  let loadedMs = performance.now();
  /** @type {number | null} */
  let endedMs = null;
  const channel = channelTo(child);
  channel.on('loaded', () => (loadedMs = performance.now()));
  channel.on('exiting', ({ hasStdinEnded }) => {
    if (hasStdinEnded === true) endedMs = performance.now();
  });
  return ({ code }) => {
    if (endedMs === null || code !== 0) return {};
    if (stdinOf(spec) !== 'ignore') return { stdinEnded: 'given' };
    return endedMs - loadedMs < AT_ONCE_MS ? { stdinEnded: 'empty' } : {};
  };
}
