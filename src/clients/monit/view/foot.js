/** The last line of `monit`: a confirmation, the filter, a message, or the keys. */
import { truncate, widthOf } from '../../../cli/render/table/cells.js';
import { maskLine } from '../../../show/mask.js';
import { paint } from '../../../cli/render/palette.js';

/**
 * @import { Confirmation } from '../../../show/confirmation.js'
 * @import { State } from '../state.js'
 * @import { Look } from './table.js'
 */

/** Narrow terminals show only the first ones. @type {[key: string, meaning: string][]} */
const TABLE_KEYS = [
  ['?', 'help'],
  ['q', 'quit'],
  ['/', 'filter'],
  ['d', 'describe'],
  ['r', 'reload'],
  ['R', 'restart'],
  ['s', 'stop'],
  ['+-', 'scale'],
  ['↑↓', 'move'],
];

/** @type {[key: string, meaning: string][]} */
const PAGE_KEYS = [
  ['q', 'back'],
  ['↑↓', 'scroll'],
];

/**
 * @param {State} state
 * @param {Look} look
 * @returns {string}
 */
export function drawFoot({ view, filter, message }, look) {
  const { green, red, yellow } = paint(look);
  const room = look.columns - 1;
  if (view.kind === 'confirmation') return drawConfirmation(view.confirmation, look);
  if (view.kind === 'filter') return drawFilter(filter, room, look);
  if (view.kind === 'page') return drawKeys(PAGE_KEYS, room, look);
  if (message) {
    const colour = { plain: String, good: green, bad: red }[message.tone];
    return ` ${colour(truncate(maskLine(message.text), room))}`;
  }
  if (filter === '') return drawKeys(TABLE_KEYS, room, look);
  const shown = ` ${yellow(truncate(`only ${maskLine(filter)}`, 20))}  `;
  return shown + drawKeys([['Esc', 'all'], ...TABLE_KEYS], room - widthOf(shown), look).trimStart();
}

/** @param {Confirmation} confirmation @param {Look} look */
function drawConfirmation({ title, text }, look) {
  const { bold, yellow } = paint(look);
  const answers = '  y / n';
  const room = look.columns - answers.length - 2;
  return room < 1 ? '' : ` ${yellow(truncate(`${title} ${text}`, room))}${bold(answers)}`;
}

/** @param {string} filter @param {number} room @param {Look} look */
function drawFilter(filter, room, look) {
  const { bold, dim } = paint(look);
  const hint = '  Enter applies it, Esc cancels';
  const text = truncate(`filter: ${maskLine(filter)}_`, room);
  return ` ${bold(text)}${widthOf(text) + hint.length <= room ? dim(hint) : ''}`;
}

/** @param {[key: string, meaning: string][]} keys @param {number} room @param {Look} look */
function drawKeys(keys, room, look) {
  const { bold, dim } = paint(look);
  let line = '';
  for (const [key, meaning] of keys) {
    const longer = `${line}${line ? '  ' : ' '}${bold(key)} ${dim(meaning)}`;
    if (widthOf(longer) > room) break;
    line = longer;
  }
  return line;
}
