/** What a table has no room for: a block for each app in trouble, with its cause and the command that helps most. */
import { groupBy } from '../../shared/groups.js';
import { failedReload } from '../change.js';
import { escapeLine } from '../escape.js';
import { causesOf, helpOf, reasonsOf, sinceOf } from '../help.js';
import { namesText } from '../quantity.js';
import { rankOfApp, rowsOf } from '../rows.js';
import { isCrashing, troublesOf } from '../state.js';
import { paint } from './palette.js';

/**
 * @import { App } from '../../protocol/shapes.js'
 * @import { Terminal } from './palette.js'
 */

/** On a low terminal others in trouble are only named. */
const MIN_BLOCKS = 5;

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @param {object} [view]
 * @param {string} [view.shown] what stands above: what it says in full is not said again
 * @param {number} [view.now] epoch ms
 * @param {ReadonlyMap<string, string>} [view.heads] of `why`, the first lines of each block by the name of its app
 * @returns {string[]} blocks, the worst app first, and of equals those that a command helps
 */
export function renderNotes(apps, terminal, { shown = '', now = Date.now(), heads } = {}) {
  const blocks = apps
    .map((app) => {
      const causes = causesBelow(app, now, shown, heads?.get(app.name));
      const helps = helpOf(app, now).filter(([command]) => !heads || !/^\S+ why /.test(command));
      // It shows what that reload was to change, which only the command that was typed repeats.
      if (failedReload(app, now)) helps.push([`nodecluster describe ${escapeLine(app.name)}`, '']);
      const isRemedy = helps.length > 0 && !/^\S+ (describe|logs|why) /.test(helps[0][0]);
      const rank = rankOfApp(app, now) - Number(isRemedy) / 2;
      return { name: app.name, rank, lines: blockOf(app, causes, helps, terminal, now) };
    })
    .filter(({ lines }) => lines.length > 0)
    .sort((one, other) => one.rank - other.rank);
  // Two more have what was typed, and the next prompt.
  const room = heads ? Infinity : (terminal.height ?? Infinity) - shown.split('\n').length - 2;
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

/** @param {App} app @param {number} now @param {string} shown @param {string} [head] absent: what the table has cut */
function causesBelow(app, now, shown, head) {
  const [{ worker }] = rowsOf(app);
  const cut = troublesOf(app, worker, now).texts.filter((text) => !shown.includes(text));
  const first =
    head?.split('\n') ?? (cut.length > 0 ? [`${escapeLine(app.name)}  ${cut.join(', ')}`] : []);
  const reasons = causesOf({ ...app, note: undefined }, now, {
    shown: [shown, ...first].join('\n'),
  });
  return [...first, ...reasons.slice(0, 2)];
}

/** @param {App} app @param {string[]} causes none: the table has said it @param {string[][]} helps @param {Terminal} terminal @param {number} now */
function blockOf(app, causes, helps, terminal, now) {
  const { bold, dim } = paint(terminal);
  const since = sinceOf(app, now).map((text) => dim(text));
  const commands = helps.slice(0, 1).map(commandText);
  const rest = [...since, ...commands.map((text) => bold(text))];
  if (causes.length + rest.length === 0) return [];
  const [first = escapeLine(app.name), ...others] = causes;
  const width = [first, ...commands].join('  ').length;
  const isShort = others.length + since.length === 0 && width <= (terminal.width ?? 80);
  if (isShort) return [[first, ...rest].join('  ')];
  return [first, ...[...others, ...rest].map((text) => `  ${text}`)];
}

/** With its condition. @param {string[]} help */
function commandText([command, why = '']) {
  const [condition] = /^(if|once) [^:]+/.exec(why) ?? [];
  return `${command}${condition ? `  (${condition})` : ''}`;
}

/** @param {App[]} apps @param {Terminal} terminal @param {number} [now] epoch ms @returns {string[]} why workers crash */
export function renderCrashes(apps, terminal, now = Date.now()) {
  return apps
    .flatMap((app) => reasonsOf(app, now, { workers: app.workers.filter(isCrashing), shown: '' }))
    .map((line) => paint(terminal).dim(line));
}
