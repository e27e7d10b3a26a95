/** What a table has no room for: a block for each app in trouble, with its cause and the command that helps most. */
import { failedReload } from '../change.js';
import { escapeLine } from '../escape.js';
import { causesOf, helpOf, reasonsOf, sinceOf } from '../help.js';
import { namesText } from '../quantity.js';
import { worstFirst } from '../rows.js';
import { isCrashing } from '../state.js';
import { paint } from './palette.js';

/**
 * @import { App } from '../../protocol/shapes.js'
 * @import { Terminal } from './palette.js'
 */

/** Other apps in trouble are only named. */
const MAX_BLOCKS = 5;
/** Of an app; `describe` has all. */
const MAX_CAUSES = 2;

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @param {object} [view]
 * @param {string} [view.shown] what stands above: a cause in it is not said again
 * @param {number} [view.now] epoch ms
 * @param {typeof helpOf} [view.helps]
 * @returns {string[]} blocks, the worst app first
 */
export function renderNotes(apps, terminal, { shown = '', now = Date.now(), helps = helpOf } = {}) {
  const { dim } = paint(terminal);
  const blocks = worstFirst(apps, now).flatMap((app) => {
    const lines = blockOf(app, terminal, { shown, now, helps });
    return lines.length > 0 ? [{ name: escapeLine(app.name), lines }] : [];
  });
  const rest = blocks.slice(MAX_BLOCKS).map(({ name }) => name);
  return [
    ...blocks.slice(0, MAX_BLOCKS).flatMap(({ lines }) => lines),
    ...(rest.length > 0 ? [dim(`Also in trouble: ${namesText(rest)}`)] : []),
  ];
}

/** @param {App} app @param {Terminal} terminal @param {{shown: string, now: number, helps: typeof helpOf}} view */
function blockOf(app, terminal, { shown, now, helps }) {
  const { bold, dim } = paint(terminal);
  const name = escapeLine(app.name);
  const causes = causesOf(app, now, { shown });
  const since = sinceOf(app, now).map((text) => dim(text));
  // It shows what that reload was to change, which only the command that was typed repeats.
  const tried = failedReload(app, now) ? [[`describe ${name}`]] : [];
  const commands = [...helps(app, now), ...tried].slice(0, 1).map(commandText);
  if (causes.length + since.length + commands.length === 0) return [];
  // Without a cause the table has said it.
  const [first, ...others] =
    causes.length > 0
      ? [...causes.slice(0, MAX_CAUSES), ...since]
      : [[`${name}:`, ...since].join(' ')];
  const rest = [...others, ...commands.map((text) => bold(text))];
  const width = [first, ...commands].join('  ').length;
  if (others.length === 0 && width <= (terminal.width ?? 80)) return [[first, ...rest].join('  ')];
  return [first, ...rest.map((text) => `  ${text}`)];
}

/** With its condition. @param {string[]} help */
function commandText([command, why = '']) {
  const [condition] = /^if [^:]+/.exec(why) ?? [];
  return `nodecluster ${command}${condition ? `  (${condition})` : ''}`;
}

/** @param {App[]} apps @param {Terminal} terminal @param {number} [now] epoch ms @returns {string[]} why workers crash */
export function renderCrashes(apps, terminal, now = Date.now()) {
  return apps
    .map((app) => ({ ...app, workers: app.workers.filter(isCrashing) }))
    .flatMap((app) => reasonsOf(app, now))
    .map((line) => paint(terminal).dim(line));
}
