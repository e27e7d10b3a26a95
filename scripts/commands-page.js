/**
 * docs/reference/commands.md: the usage line and the list of options of each command, below its heading. The rest of the
 * page stays as it is.
 */
import { readFileSync } from 'node:fs';
import { commands } from '../src/cli/commands.js';
import { settingOptions } from '../src/config/flags.js';

/** @import { CommandData, CommandRow } from '../src/cli/command.js' */

const page = new URL('../docs/reference/commands.md', import.meta.url);
/** Which the page describes once. */
const SHARED = ['--only <names>', '--env <name>', '--lenient', '--json'];
const settings = new Set(settingOptions().map(({ flags }) => flags));

/** @returns {Promise<string>} Markdown, to be formatted */
export async function commandsMarkdown() {
  /** @type {Map<string, string>} */
  const described = new Map();
  const seen = new Map();
  for (const row of commands)
    described.set(row.name, describe(row, (await row.load()).command, seen));
  const parts = readFileSync(page, 'utf8').split(/^(?=##+ )/m);
  const written = parts.map((part) => {
    const [, name] = /^### (\S+)\n/.exec(part) ?? [];
    const text = described.get(name);
    if (text === undefined) return part;
    described.delete(name);
    const blocks = part.trimEnd().split('\n\n').slice(1);
    if (blocks[0]?.startsWith('`nodecluster ')) blocks.shift();
    if (blocks[0]?.startsWith('- `-')) blocks.shift();
    return [`### ${name}`, text, ...blocks, ''].join('\n\n');
  });
  if (described.size > 0) throw new Error(`no section of ${[...described.keys()].join(', ')}`);
  return written.join('');
}

/**
 * @param {CommandRow} row
 * @param {CommandData} data
 * @param {Map<string, string>} seen by option, the command that has described it
 */
function describe({ name, aliases }, { summary, arguments: words, options }, seen) {
  const own = options.filter(({ flags }) => !SHARED.includes(flags) && !settings.has(flags));
  const hasSettings = options.some(({ flags }) => settings.has(flags));
  const usage = [
    `nodecluster ${name}`,
    ...words.map((each) => each.name),
    ...(options.length > 0 ? ['[options]'] : []),
    ...(hasSettings ? ['[settings]'] : []),
  ];
  const also =
    aliases.length > 0 ? ` Also ${aliases.map((each) => `\`${each}\``).join(', ')}.` : '';
  /** @type {string[]} */
  const lines = [];
  /** @type {Record<string, string[]>} flags by command */
  const before = {};
  for (const { flags, summary: text } of own) {
    const where = seen.get(flags + text);
    if (where) (before[where] ??= []).push(`\`${flags.split(' ')[0].replace(/,$/, '')}\``);
    else lines.push(`- \`${flags}\`: ${escaped(text)}`);
    seen.set(flags + text, where ?? name);
  }
  for (const [where, flags] of Object.entries(before)) {
    lines.push(`- ${flags.join(', ')}: as in [${where}](#${where})`);
  }
  return [`\`${usage.join(' ')}\`: ${escaped(summary)}.${also}`, '', ...lines].join('\n');
}

/** @param {string} text @returns {string} in which Markdown is only code */
function escaped(text) {
  return text.replace(/(`[^`]*`)|([<*_])/g, (_, code, sign) => code ?? `\\${sign}`);
}
