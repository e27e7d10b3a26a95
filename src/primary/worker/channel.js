/** The program's messages on a worker's channel, and what happens when the program closes it. */
import { identify } from '../../shared/processes/identity.js';
import { guardChannel, noticeLostMessages } from './guarded-channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Launch } from '../pool/launch.js'
 */

/** Node may report the exit of a dead worker this long after its channel has closed. */
const EXIT_REPORT_MS = 200;

/**
 * @typedef {object} ChannelListener
 * @property {() => void} ready the program sent 'ready' or `{ready: true}`
 * @property {(message: unknown) => void} message any other message of the program
 * @property {(error: Error) => void} broken called once; nothing more can be read
 * @property {(reason: string) => void} lost it may wait forever for what could not be sent to it
 * @property {() => boolean} isServing whether clients depend on it: it listens or has listened
 * @property {(graceMs: number, reason: string) => void} closed the program closed it but still runs;
 *   `graceMs`: time it still has
 */

/** @param {ChildProcess} child @param {Launch} launch @param {ChannelListener} on */
export function watchChannel(child, launch, on) {
  guardChannel(child, on.broken);
  noticeLostMessages(child, (code) => on.lost(`could not be sent a message (${code})`));
  child.on('message', (message) => {
    if (isReadyMessage(message)) on.ready();
    else on.message(message);
  });
  child.once('disconnect', () => {
    if (on.isServing()) onClosed(child, launch, on);
  });
}

/** @param {any} message of the program; Ghost sends an object with more keys */
function isReadyMessage(message) {
  return message === 'ready' || message?.ready === true;
}

/**
 * The program has closed the channel, or has exited.
 * @param {ChildProcess} child
 * @param {Launch} launch
 * @param {ChannelListener} on
 */
function onClosed(child, { spec }, on) {
  const { autorestart, stopExitCodes, drainTimeoutMs, killTimeoutMs } = spec;
  // If its exit code decides whether it is restarted, it gets the full time to exit.
  const exitDecides = !autorestart || stopExitCodes.length > 0;
  const timer = setTimeout(
    () => {
      const { pid, exitCode, signalCode } = child;
      const isDead = exitCode !== null || signalCode !== null;
      if (isDead || !on.isServing() || pid === undefined || identify(pid) === null) return;
      on.closed(exitDecides ? 0 : drainTimeoutMs, 'closed the channel to its parent');
    },
    exitDecides ? drainTimeoutMs + killTimeoutMs : EXIT_REPORT_MS,
  );
  child.once('exit', () => clearTimeout(timer));
}
