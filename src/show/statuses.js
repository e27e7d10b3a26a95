/** What the workers of all apps are doing: how many of them each status has. */
import { STATUS_ORDER } from '../lifecycle/app-status.js';
import { stateTone, statusWord } from './state.js';
import { TONES } from './tone.js';

/**
 * @import { Colour } from './paint.js'
 * @import { BareRow } from './rows.js'
 *
 * @typedef {{status: string, count: number, tone: Colour}} StatusCount
 */

/** @param {BareRow[]} rows @param {number} now epoch ms @returns {StatusCount[]} each in the tone of its worst worker */
export function statusesOf(rows, now) {
  /** @type {Map<string, {status: string, count: number, tone: number}>} tone: its place in TONES */
  const found = new Map();
  for (const row of rows) {
    if (row.worker === null) continue;
    const status = statusWord(row.app, row.worker, now);
    const { count = 0, tone = TONES.length } = found.get(status) ?? {};
    const worst = Math.min(tone, TONES.indexOf(stateTone(row, now)));
    found.set(status, { status, count: count + 1, tone: worst });
  }
  return [...found.values()]
    .sort((one, other) => rankOf(one) - rankOf(other) || placeOf(one) - placeOf(other))
    .map(({ tone, ...rest }) => ({ ...rest, tone: TONES[tone] }));
}

/** It may be online in a moment, so what is broken is before it. @param {string} status */
const isAgain = (status) => status === 'starting again';

/** @param {{status: string, tone: number}} named */
function rankOf({ status, tone }) {
  return isAgain(status) ? TONES.indexOf('warn') : tone;
}

/** @param {{status: string}} named */
function placeOf({ status }) {
  return STATUS_ORDER.findIndex((each) => each === (isAgain(status) ? 'starting' : status));
}
