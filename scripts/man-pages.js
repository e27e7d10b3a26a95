/** The man pages: nodecluster(1), one for each command, and ecosystem.yml(5). */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commands } from '../src/cli/commands.js';
import { mainHelp } from '../src/cli/program.js';
import { packageFile } from '../src/errors/package-file.js';
import { display, fromMarkdown, literal, prose } from './mdoc.js';
import { optionsMarkdown } from './options-page.js';

/** @import { CommandData, CommandOption, CommandRow } from '../src/cli/command.js' */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MAIN = 'nodecluster';
const FILE = 'ecosystem.yml';
const DATE = sourceDate().toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
/** The section of docs/reference/configuration.md that only leads to the others. */
const OVERVIEW = /^## The first ten$/m;

/** @returns {Promise<Record<string, string>>} texts in mdoc(7) by the names of their files */
export async function manPages() {
  const rows = await Promise.all(
    commands.map(async (row) => ({ row, data: (await row.load()).command })),
  );
  const own = rows.map(({ row, data }) => [`${MAIN}-${row.name}.1`, commandPage(row, data)]);
  return Object.fromEntries([...own, [`${MAIN}.1`, mainPage(rows)], [`${FILE}.5`, filePage()]]);
}

/** Two builds of the same sources are the same. */
function sourceDate() {
  const ofCommit = () =>
    spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).stdout;
  const seconds = Number(process.env.SOURCE_DATE_EPOCH || ofCommit());
  return seconds > 0 ? new Date(seconds * 1000) : statSync(`${ROOT}CHANGELOG.md`).mtime;
}

/** @param {{name: string, section: number, summary: string}} page @param {string[]} body */
function pageOf({ name, section, summary }, body) {
  const head = [`.Dd ${DATE}`, `.Dt ${name.toUpperCase()} ${section}`, '.Os'];
  const title = ['.Sh NAME', `.Nm ${name}`, `.Nd ${literal(summary)}`];
  return [...head, ...title, ...body, ''].join('\n');
}

/** @param {{row: CommandRow, data: CommandData}[]} rows */
function mainPage(rows) {
  const { description, homepage } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
  const { does, home, examples, exitCodes } = mainHelp;
  const headings = [...new Set(rows.map(({ row }) => row.heading))];
  const summary = `${description[0].toLowerCase()}${description.slice(1)}`;
  return pageOf({ name: MAIN, section: 1, summary }, [
    '.Sh SYNOPSIS',
    '.Nm',
    '.Ar command',
    '.Op Ar arguments',
    '.Op Ar options',
    '.Sh DESCRIPTION',
    ...prose(does),
    ...headings.flatMap((heading) => [
      `.Ss ${heading.replace(':', '')}`,
      ...list(
        rows.filter(({ row }) => row.heading === heading),
        ({ row, data }) => [`Xr ${MAIN}-${row.name} 1`, data.summary],
      ),
    ]),
    '.Sh ENVIRONMENT',
    ...list([home], (meaning) => ['Ev NODECLUSTER_HOME', meaning]),
    '.Sh EXIT STATUS',
    ...list(exitCodes, ({ code, meaning }) => [String(code), meaning]),
    '.Sh EXAMPLES',
    ...display(examples),
    '.Sh SEE ALSO',
    `.Xr ${FILE} 5`,
    '.Pp',
    ...prose(
      'The pages that are named here, such as jobs.md, are in the directory docs of the package:',
    ),
    `.Lk ${homepage.replace(/#.*/, '')}/tree/main/docs`,
  ]);
}

/** @param {CommandRow} row @param {CommandData} data */
function commandPage(
  { name, aliases },
  { summary, details = '', arguments: args, options, examples },
) {
  const headings = [...new Set(options.map(({ heading = '' }) => heading))];
  return pageOf({ name: `${MAIN}-${name}`, section: 1, summary }, [
    '.Sh SYNOPSIS',
    `.Nm ${MAIN} ${name}`,
    ...(options.length > 0 ? ['.Op Ar options'] : []),
    ...args.map((each) => `.${words(each.name)}`),
    '.Sh DESCRIPTION',
    ...prose(`${summary[0].toUpperCase()}${summary.slice(1)}.`),
    ...(details ? ['.Pp', ...prose(details.replaceAll(packageFile(''), ''))] : []),
    ...(args.length > 0 ? list(args, (each) => [words(each.name), each.summary]) : []),
    ...(aliases.length > 0 ? ['.Pp', ...prose(`Other names: ${aliases.join(', ')}.`)] : []),
    ...(options.length > 0 ? ['.Sh OPTIONS'] : []),
    ...headings.flatMap((heading) => [
      ...(heading ? [`.Ss ${literal(heading.replace(':', ''))}`] : []),
      ...list(
        options.filter((each) => (each.heading ?? '') === heading),
        (each) => [words(each.flags), each.summary],
      ),
    ]),
    '.Sh EXAMPLES',
    ...display(examples),
    '.Sh SEE ALSO',
    `.Xr ${MAIN} 1 ,`,
    `.Xr ${FILE} 5`,
  ]);
}

function filePage() {
  const [start, ...sections] = optionsMarkdown().split(/^(?=## )/m);
  const introduction = start.replace(/^# .*\n+<!--.*-->/, '## Description');
  const summary = 'the apps that nodecluster runs, and their settings';
  return pageOf({ name: FILE, section: 5, summary }, [
    ...fromMarkdown([introduction, ...sections.filter((each) => !OVERVIEW.test(each))].join('')),
    '.Sh SEE ALSO',
    `.Xr ${MAIN} 1 ,`,
    `.Xr ${MAIN}-init 1 ,`,
    `.Xr ${MAIN}-start 1`,
  ]);
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => [tag: string, text: string]} describe
 */
function list(items, describe) {
  const lines = items.map(describe).flatMap(([tag, text]) => [`.It ${tag}`, ...prose(text)]);
  return ['.Bl -tag -width Ds', ...lines, '.El'];
}

/** @param {string} text `-i, --instances <n>` or `[targets...]` @returns {string} macros */
function words(text) {
  return text
    .replace(/,/g, ' ,')
    .split(' ')
    .map((word) => {
      const [, bracket, name, more] = /^([[<]?)(.*?)(\.\.\.)?[\]>]?$/.exec(word) ?? [];
      if (word.startsWith('-')) return `Fl ${literal(word.slice(1))}`;
      if (bracket === '') return word;
      return `${bracket === '[' ? 'Op ' : ''}Ar ${literal(name)}${more ? ' ...' : ''}`;
    })
    .join(' ');
}
