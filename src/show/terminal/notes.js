/** What a table has no room for: a block for each app in trouble, with its cause and the command that helps most. */
import { groupBy } from '../../shared/groups.js';
import { failedReload, sinceOf } from '../change.js';
import { escapeLine } from '../escape.js';
import { headlinesOf, helpOf } from '../help.js';
import { namesText } from '../quantity.js';
import { rowsOf, worstFirst } from '../rows.js';
import { isCrashing, troublesOf } from '../state.js';
import { paint } from './palette.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { Terminal } from './palette.js'
 *
 * @typedef {(workers: Worker[]) => string[] | null} Evidence lines about workers that share a cause; null: none was asked for
 */

/** On a low terminal others in trouble are only named. */
const MIN_BLOCKS = 5;
/** Of one app. */
const MAX_HEADLINES = 3;

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @param {object} [view]
 * @param {string} [view.shown] what stands above: what it says in full is not said again
 * @param {number} [view.now] epoch ms
 * @param {Evidence} [view.evidence] of `why`, which says all of each app
 * @returns {string[]} blocks, the worst app first
 */
export function renderNotes(apps, terminal, { shown = '', now = Date.now(), evidence } = {}) {
  const blocks = worstFirst(apps, now)
    .map((app) => {
      const causes = causesBelow(app, now, shown, evidence);
      const helps = helpOf(app, now).filter(([command]) => !evidence || !/^\S+ why /.test(command));
      return { name: app.name, lines: blockOf(app, causes, helps, terminal, now) };
    })
    .filter(({ lines }) => lines.length > 0);
  // Two more have what was typed, and the next prompt.
  const room = evidence ? Infinity : (terminal.height ?? Infinity) - shown.split('\n').length - 2;
  const isLow = blocks.flatMap(({ lines }) => lines).length > room;
  const rest = isLow ? blocks.splice(MIN_BLOCKS).map(({ name }) => name) : [];
  const others = `Also in trouble: ${escapeLine(namesText(rest))}`;
  return [
    ...blocks.flatMap(({ lines }) => lines),
    ...(rest.length > 0 ? [`${others}  ${paint(terminal).bold('nodecluster why')}`] : []),
    ...notesOf(apps),
  ];
}

/** Each once, with its apps: a primary may have several. @param {App[]} apps */
function notesOf(apps) {
  const noted = apps.filter(({ note }) => note);
  return [...groupBy(noted, ({ note }) => note)].map(([note, group]) =>
    escapeLine(`${namesText(group.map(({ name }) => name))}  ${note}`),
  );
}

/** @param {App} app @param {number} now @param {string} shown @param {Evidence} [evidence] @returns {string[]} */
function causesBelow(app, now, shown, evidence) {
  const [{ worker }] = rowsOf(app);
  const isCut = troublesOf(app, worker, now).texts.some((text) => !shown.includes(text));
  const isWhole = evidence !== undefined || isCut;
  const workers = app.workers.filter((worker) => !evidence || evidence([worker]));
  const headlines = headlinesOf(app, now, { workers, shown, isWhole }).slice(0, MAX_HEADLINES);
  const failed = failedReload(app, now);
  return [
    ...(failed ? [`${escapeLine(app.name)}  ${failed}`] : []),
    ...headlines.flatMap(({ text, workers }) => [
      text,
      ...(evidence?.(workers) ?? []).map((line) => `    ${line}`),
    ]),
  ];
}

/** @param {App} app @param {string[]} causes none: the table has said it @param {string[][]} helps @param {Terminal} terminal @param {number} now */
function blockOf(app, causes, helps, terminal, now) {
  const { bold, dim } = paint(terminal);
  const since = sinceOf(app, now).map((text) => dim(text));
  const isAlone = causes.length + since.length === 0;
  const commands = helps.slice(0, 1).map((help) => commandText(help, isAlone));
  const rest = [...since, ...commands.map((text) => bold(text))];
  if (causes.length + rest.length === 0) return [];
  const [first = escapeLine(app.name), ...others] = causes;
  const width = [first, ...commands].join('  ').length;
  const isShort = others.length + since.length === 0 && width <= (terminal.width ?? 80);
  if (isShort) return [[first, ...rest].join('  ')];
  return [first, ...others, ...rest.map((text) => `  ${text}`)];
}

/** With its condition, or all that it is for. @param {string[]} help @param {boolean} isAlone no cause is said */
function commandText([command, why = ''], isAlone) {
  const [shown] = isAlone ? [why] : (/^(if|once) [^:]+/.exec(why) ?? []);
  return `${command}${shown ? `  (${shown})` : ''}`;
}

/** @param {App[]} apps @param {Terminal} terminal @param {number} [now] epoch ms @returns {string[]} why workers crash */
export function renderCrashes(apps, terminal, now = Date.now()) {
  return apps
    .flatMap((app) =>
      headlinesOf(app, now, { workers: app.workers.filter(isCrashing), isWhole: true }),
    )
    .map(({ text }) => paint(terminal).dim(text));
}
