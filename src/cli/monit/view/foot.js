/** The last line of `monit`: a question, the filter, news, or the keys. */
import { truncate, widthOf } from '../../render/table/cells.js';
import { maskLine } from '../../render/mask.js';
import { paint } from '../../render/palette.js';

/**
 * @import { State } from '../state.js'
 * @import { Look } from './table.js'
 */

/** The most needed first; what does not fit is left out. @type {[key: string, meaning: string][]} */
const KEYS = [
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

/**
 * @param {State} state
 * @param {Look} look
 * @returns {string}
 */
export function drawFoot({ view, filter, message }, look) {
  const { green, red, yellow } = paint(look);
  const room = look.columns - 1;
  if (view.kind === 'question') return drawQuestion(view.question.text, look);
  if (view.kind === 'filter') return drawFilter(filter, room, look);
  if (view.kind === 'page')
    return keysOf(
      [
        ['q', 'back'],
        ['↑↓', 'scroll'],
      ],
      room,
      look,
    );
  if (message) {
    const dress = { plain: String, good: green, bad: red }[message.tone];
    return ` ${dress(truncate(maskLine(message.text), room))}`;
  }
  if (filter === '') return keysOf(KEYS, room, look);
  const shown = ` ${yellow(truncate(`only ${maskLine(filter)}`, 20))}  `;
  return shown + keysOf([['Esc', 'all'], ...KEYS], room - widthOf(shown), look).trimStart();
}

/**
 * @param {string} text
 * @param {Look} look
 */
function drawQuestion(text, look) {
  const { bold, yellow } = paint(look);
  const answers = '  y / n';
  const room = look.columns - answers.length - 2;
  return room < 1 ? '' : ` ${yellow(truncate(text, room))}${bold(answers)}`;
}

/**
 * @param {string} filter
 * @param {number} room
 * @param {Look} look
 */
function drawFilter(filter, room, look) {
  const { bold, dim } = paint(look);
  const hint = '  Enter keeps it, Esc undoes';
  const text = truncate(`filter: ${maskLine(filter)}_`, room);
  return ` ${bold(text)}${widthOf(text) + hint.length <= room ? dim(hint) : ''}`;
}

/**
 * @param {[key: string, meaning: string][]} keys
 * @param {number} room
 * @param {Look} look
 */
function keysOf(keys, room, look) {
  const { bold, dim } = paint(look);
  let line = '';
  for (const [key, meaning] of keys) {
    const longer = `${line}${line ? '  ' : ' '}${bold(key)} ${dim(meaning)}`;
    if (widthOf(longer) > room) break;
    line = longer;
  }
  return line;
}
