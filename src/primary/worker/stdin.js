/** What a worker has as its stdin, and what its end says of its exit. */
import { mostWorkers } from '../pool/launch.js';
import { channelTo } from './channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Spec } from '../../config/spec.js'
 * @import { PastExit } from '../../protocol/shapes.js'
 */

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
  let hasEnded = false;
  channelTo(child).on('exiting', ({ hasStdinEnded }) => (hasEnded = hasStdinEnded === true));
  return ({ code }) => {
    if (!hasEnded || code !== 0) return {};
    return { stdinEnded: stdinOf(spec) === 'ignore' ? 'empty' : 'given' };
  };
}
