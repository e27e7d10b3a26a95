/** Arguments and options that several commands share. */
/** @import { CommandArgument, CommandOption } from './verbs.js' */

/** @type {CommandArgument} */
export const appsArgument = {
  name: '<apps...>',
  summary: 'names, worker ids, namespaces, /regex/ or all',
};

/** @type {CommandArgument} */
export const logAppsArgument = { name: '[apps...]', summary: 'names, namespaces, /regex/ or all' };

/** @type {CommandArgument} */
export const targetsArgument = {
  name: '[targets...]',
  summary: 'names, worker ids, name:slot, namespaces, /regex/, all; or one ecosystem file',
};

/** @type {CommandOption} */
export const jsonOption = {
  flags: '--json',
  summary: 'print the result as JSON, and errors as JSON on stderr',
};

/** @type {CommandOption} */
export const updateEnvOption = {
  flags: '-a, --update-env',
  summary: 'use the environment of this shell instead of the one saved at the start',
};

const fileHeading = 'With an ecosystem file:';

/** @type {CommandOption[]} which apps and settings of an ecosystem file to use */
export const fileOptions = [
  { flags: '--only <names>', summary: 'only these apps of the file: a,b', parse: parseNames },
  { flags: '--env <name>', summary: 'apply the settings under env_<name>' },
  { flags: '--lenient', summary: 'warn about unknown keys instead of rejecting the file' },
].map((option) => ({ ...option, heading: fileHeading }));

/** @type {CommandOption[]} how to apply an ecosystem file */
export const applyOptions = [
  ...fileOptions,
  ...[
    { flags: '--prune', summary: 'delete apps that came from this file and are no longer in it' },
    { flags: '--dry-run', summary: 'show what would be done, without doing it' },
  ].map((option) => ({ ...option, heading: fileHeading })),
];

/** @param {string} text */
function parseNames(text) {
  const names = text.split(',').filter((name) => name !== '');
  if (names.length === 0) throw new RangeError('It names no app');
  return names;
}
