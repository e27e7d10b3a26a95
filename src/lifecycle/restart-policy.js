/**
 * What to do about a worker that died without having been asked to. Every death counts, however
 * long the worker had lived: a program that dies every 1.1 s must not loop for ever.
 *
 * The first restart is immediate; then the delay doubles up to a cap, as in OTP's intensity and
 * period (the window) joined to einhorn's growing interval (the backoff).
 */

/**
 * @typedef {object} RestartPolicy
 * @property {boolean} autorestart
 * @property {readonly number[]} stopExitCodes
 * @property {number} maxRestarts how many restarts the window allows
 * @property {number} restartWindowMs
 * @property {number} restartDelayMs least delay before any restart
 * @property {number} expBackoffRestartDelayMs delay of the second restart in the window
 * @property {number} maxRestartDelayMs
 */

/**
 * @typedef {object} Exit
 * @property {number | null} code
 * @property {string | null} signal
 * @property {string | null} [error] why there was no process at all: a system error such as EMFILE
 *
 * @typedef {{action: 'restart', delayMs: number}
 *   | {action: 'exited' | 'errored', reason: string}} RestartDecision
 */

/**
 * The system was out of what a process needs. That is not the program's fault and passes, so it
 * counts as no death: the worker is tried again for as long as it takes.
 */
const WANTS = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];

/**
 * @param {Exit} exit
 * @returns {boolean} the system refused to start it for now
 */
export function wasRefused({ error }) {
  return WANTS.includes(error ?? '');
}

/**
 * @param {object} death
 * @param {RestartPolicy} death.policy
 * @param {Exit} death.exit
 * @param {string} [death.how] what happened, in words that follow 'the worker'
 * @param {readonly number[]} death.deathsMs monotonic times of this slot's deaths, this one included
 * @param {number} death.nowMs monotonic
 * @param {number} death.random in [0, 1), for the jitter
 * @returns {RestartDecision}
 */
export function decideRestart({ policy, exit, how = describeExit(exit), deathsMs, nowMs, random }) {
  if (wasRefused(exit)) return { action: 'restart', delayMs: policy.maxRestartDelayMs };
  if (exit.code !== null && policy.stopExitCodes.includes(exit.code)) {
    return { action: 'exited', reason: `exit code ${exit.code} is one of stop_exit_codes` };
  }
  if (!policy.autorestart) {
    const action = exit.code === 0 ? 'exited' : 'errored';
    return { action, reason: `${how} and autorestart is off` };
  }
  const recent = deathsMs.filter((at) => nowMs - at < policy.restartWindowMs).length;
  if (recent > policy.maxRestarts) {
    const window = `${policy.restartWindowMs / 1000} s`;
    return {
      action: 'errored',
      reason: `died ${recent} times within ${window}; the last one ${how}`,
    };
  }
  return { action: 'restart', delayMs: delayOf(policy, recent, random) };
}

/**
 * Keeps only the deaths that can still count.
 * @param {readonly number[]} deathsMs
 * @param {number} nowMs
 * @param {number} windowMs
 * @returns {number[]}
 */
export function withinWindow(deathsMs, nowMs, windowMs) {
  return deathsMs.filter((at) => nowMs - at < windowMs);
}

/**
 * @param {Exit} exit
 * @returns {string} 'exited with code 1', 'was killed by SIGKILL'
 */
export function describeExit({ code, signal, error }) {
  if (signal) return `was killed by ${signal}`;
  if (code !== null) return `exited with code ${code}`;
  return error ? `could not be started (${error})` : 'could not be started';
}

/**
 * Jitter of up to a quarter keeps workers that died together from starting together.
 * @param {RestartPolicy} policy
 * @param {number} recent deaths in the window, at least 1
 * @param {number} random
 */
function delayOf(policy, recent, random) {
  if (recent <= 1) return policy.restartDelayMs;
  const backoff = policy.expBackoffRestartDelayMs * 2 ** Math.min(recent - 2, 30);
  const capped = Math.min(backoff, policy.maxRestartDelayMs);
  return Math.max(policy.restartDelayMs, Math.round(capped * (1 - random / 4)));
}
