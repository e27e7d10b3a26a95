/** `describe`: what the alarms of an app have delivered, and what they could not. */
import { formatDuration } from '../../shared/units.js';
import { maskLine } from '../../cli/render/mask.js';
import { paint } from '../../cli/render/palette.js';
import { formatCount } from '../../cli/render/quantity.js';

/**
 * @import { AlarmView, AppDescription, Undelivered, WaitingNotice } from '../../protocol/shapes.js'
 * @import { Terminal } from '../../cli/render/palette.js'
 */

/**
 * @param {AppDescription} app
 * @param {Terminal} terminal
 * @param {number} now epoch ms
 * @returns {string[]}
 */
export function alarmLines({ alarms }, terminal, now) {
  const { bold, red, yellow } = paint(terminal);
  const lines = alarms.flatMap((alarm) => [
    `  ${maskLine(alarm.event.join(', '))}  ${maskLine(alarm.to)}  ${countsText(alarm)}`,
    ...alarm.waiting.map((notice) => `    ${yellow('waiting')}: ${waitingText(notice)}`),
    ...alarm.undelivered.map(
      (notice) => `    ${red('not delivered')} ${undeliveredText(notice, now)}`,
    ),
  ]);
  return lines.length === 0 ? [] : ['', bold('Alarms'), ...lines];
}

/** @param {AlarmView} alarm */
function countsText({ delivered, givenUp }) {
  const lost = givenUp > 0 ? `, ${givenUp} given up` : '';
  return `${delivered} delivered${lost}`;
}

/** @param {WaitingNotice} notice */
function waitingText({ type, count, attempts, reason, inMs }) {
  const when = inMs === null ? 'now' : `in ${formatDuration(inMs)}`;
  const failed = attempts > 0 ? `; attempt ${attempts} failed: ${maskLine(reason)}` : '';
  return `${maskLine(type)} (${formatCount(count, 'event')}), ${when}${failed}`;
}

/** @param {Undelivered} notice @param {number} now */
function undeliveredText({ type, at, count, attempts, reason }, now) {
  const when = `${formatDuration(Math.max(0, now - at))} ago`;
  const tries = formatCount(attempts, 'attempt');
  return `${when}: ${maskLine(type)} (${formatCount(count, 'event')}), ${tries}: ${maskLine(reason)}`;
}
