/**
 * What to do about a worker that died without having been asked to. Every death counts, however
 * long the worker had lived: a program that dies every 1.1 s must not loop for ever.
 *
 * The first restart is immediate; then the delay doubles up to a cap, as in OTP's intensity and
 * period (the window) joined to einhorn's growing interval (the backoff).
 *
 * The window stands still while a worker that then fails is starting: one that needs 10 s to fail
 * would else be started for ever, where one that fails at once is given up.
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
 * @typedef {object} Death
 * @property {number} atMs monotonic
 * @property {number} startingMs how long it had been starting in vain; 0: it had been online
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
 * @param {Pick<RestartPolicy, 'autorestart' | 'stopExitCodes'>} policy
 * @param {Exit} exit
 * @returns {boolean} a program that ends so has done what it was started for
 */
export function isAllowedEnd({ autorestart, stopExitCodes }, { code }) {
  return code !== null && (stopExitCodes.includes(code) || (!autorestart && code === 0));
}

/**
 * @param {object} death
 * @param {RestartPolicy} death.policy
 * @param {Exit} death.exit
 * @param {string} [death.how] what happened, in words that follow 'the worker'
 * @param {readonly Death[]} death.deaths of this slot, in their order, this one included
 * @param {number} death.nowMs monotonic
 * @param {number} death.random in [0, 1), for the jitter
 * @returns {RestartDecision}
 */
export function decideRestart({ policy, exit, how = describeExit(exit), deaths, nowMs, random }) {
  if (wasRefused(exit)) return { action: 'restart', delayMs: policy.maxRestartDelayMs };
  if (exit.code !== null && policy.stopExitCodes.includes(exit.code)) {
    return { action: 'exited', reason: `exit code ${exit.code} is one of stop_exit_codes` };
  }
  if (!policy.autorestart) {
    const action = isAllowedEnd(policy, exit) ? 'exited' : 'errored';
    return { action, reason: `${how} and autorestart is off` };
  }
  const recent = withinWindow(deaths, nowMs, policy.restartWindowMs);
  if (recent.length > policy.maxRestarts) {
    return { action: 'errored', reason: `${describeDeaths(recent, policy, nowMs)} ${how}` };
  }
  return { action: 'restart', delayMs: delayOf(policy, recent.length, random) };
}

/**
 * Keeps only the deaths that can still count.
 * @param {readonly Death[]} deaths in their order
 * @param {number} nowMs
 * @param {number} windowMs
 * @returns {readonly Death[]}
 */
export function withinWindow(deaths, nowMs, windowMs) {
  let stoodStillMs = 0;
  let first = deaths.length;
  while (first > 0 && nowMs - deaths[first - 1].atMs - stoodStillMs < windowMs) {
    first -= 1;
    stoodStillMs += deaths[first].startingMs;
  }
  return deaths.slice(first);
}

/**
 * @param {readonly Death[]} recent
 * @param {RestartPolicy} policy
 * @param {number} nowMs
 */
function describeDeaths(recent, { restartWindowMs }, nowMs) {
  const stoodStill = nowMs - recent[0].atMs >= restartWindowMs;
  const exception = stoodStill ? ', the time that failed starts took not counted' : '';
  return `died ${recent.length} times within ${restartWindowMs / 1000} s${exception}; the last one`;
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
