/** `describe`: what the alarms of an app have delivered, and what they could not. */
import { escapeLine } from '../../show/escape.js';
import { formatAgo, formatCount, formatCountdown } from '../../show/quantity.js';

/**
 * @import { App } from '../../protocol/shapes.js'
 * @import { AlarmView, Undelivered, WaitingNotice } from './record.js'
 * @import { Section, ShowFeature } from '../../show/features.js'
 * @import { Paint } from '../../show/paint.js'
 * @import { Tone } from '../../show/tone.js'
 */

/** @type {ShowFeature} */
export const alarms = { lines: alarmLines, section: alarmSection };

/** @param {App} app @param {Paint} paint @param {number} now epoch ms */
function alarmLines({ alarms = [] }, { bold, red, yellow }, now) {
  const lines = alarms.flatMap((alarm) => [
    `  ${escapeLine(alarm.event.join(', '))}  ${escapeLine(alarm.to)}  ${countsText(alarm)}`,
    ...alarm.waiting.map((notice) => `    ${yellow('waiting')}: ${waitingText(notice, now)}`),
    ...alarm.undelivered.map(
      (notice) => `    ${red('not delivered')} ${undeliveredText(notice, now)}`,
    ),
  ]);
  return lines.length === 0 ? [] : ['', bold('Alarms'), ...lines];
}

/**
 * What the alarms of an app have delivered, and what they could not.
 * @param {App} app
 * @param {number} now epoch ms
 * @returns {Section | null} null: it has none, or they are not known
 */
function alarmSection({ alarms = [] }, now) {
  if (alarms.length === 0) return null;
  const entries = alarms.map((alarm) => ({
    name: alarm.event.join(', '),
    to: alarm.to,
    text: countsText(alarm),
    lines: [
      ...alarm.waiting.map((notice) => lineOf('warn', `waiting: ${waitingText(notice, now)}`)),
      ...alarm.undelivered.map((notice) =>
        lineOf('bad', `not delivered ${undeliveredText(notice, now)}`),
      ),
    ],
  }));
  return { title: 'Alarms', entries };
}

/** @param {Tone} tone @param {string} text */
function lineOf(tone, text) {
  return { tone, text };
}

/** @param {AlarmView} alarm */
function countsText({ delivered, givenUp }) {
  const lost = givenUp > 0 ? `, ${givenUp} given up` : '';
  return `${delivered} delivered${lost}`;
}

/**
 * @param {WaitingNotice} notice
 * @param {number} now epoch ms
 * @returns {string} `job.ended (1 event), in 4s; attempt 2 failed: HTTP 500`
 */
function waitingText({ type, count, attempts, reason, retryAt }, now) {
  const when = retryAt === undefined ? 'now' : `in ${formatCountdown(retryAt - now)}`;
  const failed = attempts > 0 ? `; attempt ${attempts} failed: ${escapeLine(reason)}` : '';
  return `${escapeLine(type)} (${formatCount(count, 'event')}), ${when}${failed}`;
}

/**
 * @param {Undelivered} notice
 * @param {number} now epoch ms
 * @returns {string} `4s ago: job.ended (1 event), 9 attempts: HTTP 500`
 */
function undeliveredText({ type, at, count, attempts, reason }, now) {
  const tries = formatCount(attempts, 'attempt');
  return `${formatAgo(at, now)}: ${escapeLine(type)} (${formatCount(count, 'event')}), ${tries}: ${escapeLine(reason)}`;
}
