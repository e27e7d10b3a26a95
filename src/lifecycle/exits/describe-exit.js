/** What is said of a process that has exited, in words that follow its name. */
import { describeListenFault } from '../listen-fault.js';

/**
 * @import { CommandOutcome } from '../../shared/processes/bounded-command.js'
 * @import { Exit } from '../restart-policy.js'
 */

/**
 * @param {Exit} exit
 * @returns {string} `exited with code 3`
 */
export function describeExit({ code, signal, error, fault }) {
  if (fault) return describeListenFault(fault);
  if (signal) return `was killed by ${signal}`;
  if (code !== null) return `exited with code ${code}`;
  return error ? `could not be started (${error})` : 'could not be started';
}

/**
 * @param {string} file of the command
 * @param {CommandOutcome} outcome
 * @returns {string | null} why it failed, with its last words; null: it exited with 0
 */
export function commandFailure(file, { exit, excess, lastLine }) {
  if (exit.code === 0 && excess === null) return null;
  return `${file} ${excess ?? describeExit(exit)}${lastLine === '' ? '' : `: ${lastLine}`}`;
}
