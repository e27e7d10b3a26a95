/** Arguments and options that several commands share. */
import { parseCount, parseMoment } from '../shared/units.js';

/** @import { CommandArgument, CommandOption } from '../cli/command.js' */

/** @type {CommandArgument} */
export const appsArgument = {
  name: '<apps...>',
  summary: 'names, worker ids, name:slot, namespaces, scripts, /regex/ or all',
};

/** @type {CommandArgument} */
export const logFilesArgument = {
  name: '[apps...]',
  summary: 'names, namespaces, scripts, /regex/ or all',
};

/** @type {CommandArgument} */
export const targetsArgument = {
  name: '[targets...]',
  summary:
    'names, worker ids, name:slot, namespaces, scripts, /regex/, all; or one ecosystem file (default: the one here)',
};

/** @type {CommandOption} */
export const jsonOption = {
  flags: '--json',
  summary: 'print the result as JSON, and errors as JSON on stderr',
};

/** @type {Omit<CommandOption, 'summary'>} epoch ms */
export const sinceOption = { flags: '--since <time>', parse: (text) => parseMoment(text) };

/** @type {CommandOption} epoch ms */
export const untilOption = {
  ...sinceOption,
  flags: '--until <time>',
  summary: 'end with what happened until then',
};

/** @type {CommandOption} */
export const updateEnvOption = {
  flags: '-a, --update-env',
  summary: 'use the environment of this shell over the one saved at the start',
};

const fileHeading = 'With an ecosystem file:';

/** @type {CommandOption[]} which apps and settings of an ecosystem file to use */
export const fileOptions = [
  { flags: '--only <names>', summary: 'only these apps of the file: a,b', parse: parseNames },
  { flags: '--env <name>', summary: 'use the variables of env_<name> on top of env' },
  { flags: '--lenient', summary: 'warn about unknown keys instead of rejecting the file' },
].map((option) => ({ ...option, heading: fileHeading }));

/** @type {CommandOption[]} how workers are replaced */
export const rollingOptions = [
  {
    flags: '--parallel <n>',
    summary: 'number of workers to replace at a time, after the first (default: max_surge)',
    parse: parseCount,
  },
  {
    flags: '--on-failure <action>',
    summary: 'if a new worker fails: keep the workers replaced so far (the default), or rollback',
    values: ['keep', 'rollback'],
    parse: parseFailureAction,
  },
];

/** @param {Record<string, any>} options @returns {Record<string, any>} the rolling options among them */
export function rollingParams({ parallel, onFailure }) {
  const given = Object.entries({ parallel, onFailure });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** @param {string} text */
function parseNames(text) {
  const names = text.split(',').filter((name) => name !== '');
  if (names.length === 0) throw new RangeError('It names no app');
  return names;
}

/** @param {string} text */
function parseFailureAction(text) {
  if (text !== 'keep' && text !== 'rollback') throw new RangeError('It must be keep or rollback');
  return text;
}
