/** How an alarm is shown: where it delivers to, without secrets, and what it has delivered. */
import { withoutNulls } from '../../../shared/merge-patch.js';
import { epochMs, machineMs } from '../../../shared/monotonic.js';
import { maskAlarm } from '../mask.js';

/**
 * @import { Alarm } from '../record.js'
 * @import { AlarmState, Notice } from '../decide.js'
 * @import { AlarmView, Undelivered } from '../record.js'
 */

/**
 * @param {Alarm} setting
 * @param {AlarmState} state
 * @param {object} figures
 * @param {number} figures.delivered since this daemon knows it
 * @param {number} figures.givenUp
 * @param {Undelivered[]} figures.undelivered the last ones
 * @returns {AlarmView}
 */
export function viewAlarm(setting, state, { delivered, givenUp, undelivered }) {
  const { current, waiting } = state;
  const pending = current ? [current, ...waiting] : waiting;
  return {
    event: setting.event,
    to: addressOf(setting),
    delivered,
    givenUp,
    waiting: pending.map((notice) => viewNotice(notice, notice === current)),
    undelivered,
  };
}

/**
 * @param {Alarm} setting
 * @returns {string} `POST https://example.com/********`, or a command
 */
export function addressOf(setting) {
  const { run, post } = maskAlarm(setting);
  return run === null ? `POST ${post}` : run.join(' ');
}

/** @param {Notice} notice @param {boolean} isCurrent */
function viewNotice({ type, count, attempts, reason, dueMs }, isCurrent) {
  const retryAt = isCurrent ? null : epochMs(machineMs(dueMs));
  return withoutNulls({ type, count, attempts, reason, retryAt });
}
