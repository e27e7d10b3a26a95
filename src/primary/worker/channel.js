/** What comes through a worker's channel from its program, and that the program closes it. */
import { identify } from '../../shared/processes/identity.js';
import { guardChannel } from './guarded-channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Launch } from '../pool/launch.js'
 */

/** How long the exit of a dead worker may take to be reported after its channel has closed. */
const EXIT_REPORT_MS = 200;

/**
 * @typedef {object} ChannelListener
 * @property {() => void} ready the program sent 'ready'
 * @property {(message: unknown) => void} message any other message of the program
 * @property {(error: Error) => void} broken called once; nothing more can be read
 * @property {() => boolean} isServing whether anybody depends on its channel: it listens or did so
 * @property {(graceMs: number) => void} closed the program closed it and lives on; how long it may
 */

/** @param {ChildProcess} child @param {Launch} launch @param {ChannelListener} on */
export function watchChannel(child, launch, on) {
  guardChannel(child, on.broken);
  child.on('message', (message) => {
    if (message === 'ready') on.ready();
    else on.message(message);
  });
  child.once('disconnect', () => {
    if (on.isServing()) onClosed(child, launch, on);
  });
}

/**
 * The program has closed it, or is dead.
 * @param {ChildProcess} child
 * @param {Launch} launch
 * @param {ChannelListener} on
 */
function onClosed(child, { spec }, on) {
  const { autorestart, stopExitCodes, drainTimeoutMs, killTimeoutMs } = spec;
  // Its exit code may decide whether it is restarted: then it has all its time to exit.
  const exitDecides = !autorestart || stopExitCodes.length > 0;
  const timer = setTimeout(
    () => {
      const { pid, exitCode, signalCode } = child;
      const isDead = exitCode !== null || signalCode !== null;
      if (isDead || !on.isServing() || pid === undefined || identify(pid) === null) return;
      on.closed(exitDecides ? 0 : drainTimeoutMs);
    },
    exitDecides ? drainTimeoutMs + killTimeoutMs : EXIT_REPORT_MS,
  );
  child.once('exit', () => clearTimeout(timer));
}
