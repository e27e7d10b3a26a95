/** Options that several commands have, with one wording. */
/** @import { CommandOption } from './verbs.js' */

/** @type {CommandOption} */
export const jsonOption = {
  flags: '--json',
  summary: 'print the result as JSON; errors too, on stderr',
};

/** @type {CommandOption} */
export const updateEnvOption = {
  flags: '--update-env',
  summary: 'take the environment of this shell instead of the one kept since the start',
};

/** @type {CommandOption} */
export const parallelOption = {
  flags: '--parallel <n>',
  summary: 'replace so many workers at a time',
  parse: countingNumber,
};

/** @type {CommandOption} */
export const onFailureOption = {
  flags: '--on-failure <what>',
  summary:
    'when a new worker fails: keep those that were replaced already (the default), or rollback',
  values: ['keep', 'rollback'],
  parse: keepOrRollback,
};

/** @type {CommandOption} */
export const noWaitOption = {
  flags: '--no-wait',
  summary: 'return once it is accepted; `describe` shows its outcome',
};

/** @type {CommandOption[]} what chooses from an ecosystem file */
export const fileOptions = [
  { flags: '--only <names>', summary: 'only these apps of the file: a,b', parse: commaList },
  { flags: '--env <name>', summary: 'with the settings under env_<name>' },
  { flags: '--lenient', summary: 'warn of unknown keys in the file instead of refusing it' },
];

/** @type {CommandOption[]} what applying an ecosystem file can do besides */
export const applyOptions = [
  ...fileOptions,
  { flags: '--prune', summary: 'delete the apps that came from this file and are no longer in it' },
  { flags: '--dry-run', summary: 'show what would be done, and do nothing' },
];

/** @param {string} text */
function commaList(text) {
  const names = text.split(',').filter((name) => name !== '');
  if (names.length === 0) throw new RangeError('It names no app');
  return names;
}

/** @param {string} text */
function countingNumber(text) {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new RangeError('It must be a number from 1 up');
  return Number(text);
}

/** @param {string} text */
function keepOrRollback(text) {
  if (text !== 'keep' && text !== 'rollback') throw new RangeError('It must be keep or rollback');
  return text;
}
