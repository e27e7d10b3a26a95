import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** @typedef {{line: number|null, column: number|null, key: string, text: string}} Problem */

/** @type {Record<string, ErrorEntry>} */
export const configCodes = {
  E_CONFIG_MISSING: {
    exitCode: exitCodes.badFile,
    message: ({ file }) => `There is no file ${file}.`,
    hint: () => 'Check the path, or write a first ecosystem.yml with: nodecluster init',
  },
  E_CONFIG_NONE_HERE: {
    exitCode: exitCodes.badFile,
    message: ({ folder, names }) =>
      `There is no ecosystem file in ${folder} (looked for ${names.join(', ')}).`,
    hint: () => 'Name a file, or write a first ecosystem.yml with: nodecluster init',
  },
  E_CONFIG_UNREADABLE: {
    exitCode: exitCodes.badFile,
    message: ({ file, reason }) => `${file} cannot be read: ${reason}.`,
  },
  E_CONFIG_NOT_A_FILE: {
    exitCode: exitCodes.badFile,
    message: ({ file }) => `${file} is a folder, not an ecosystem file.`,
    hint: ({ file }) => `Name the file in it, such as ${file.replace(/\/$/, '')}/ecosystem.yml`,
  },
  E_CONFIG_TOO_LARGE: {
    exitCode: exitCodes.badFile,
    message: ({ file, limit }) => `${file} is larger than ${limit}, so it is no ecosystem file.`,
  },
  E_CONFIG_EMPTY: {
    exitCode: exitCodes.badFile,
    message: ({ file }) => `${file} is empty: it names no app.`,
    hint: () => 'See what goes into it: nodecluster init writes an example with comments.',
  },
  E_CONFIG_SYNTAX: {
    exitCode: exitCodes.badFile,
    message: ({ file, line, column, language, reason, excerpt }) =>
      `${place(file, line, column)} is not valid ${language}: ${reason}` +
      (excerpt ? `\n${excerpt}` : ''),
  },
  E_CONFIG_SCRIPT_FAILED: {
    exitCode: exitCodes.badFile,
    message: ({ file, line, reason }) => `${place(file, line, null)} threw an error: ${reason}`,
    hint: () => 'An ecosystem file in JavaScript is run to get its apps; this one did not finish.',
  },
  E_CONFIG_INVALID: {
    exitCode: exitCodes.badFile,
    message: ({ file, problems }) =>
      `${file} has ${problems.length === 1 ? 'an error' : `${problems.length} errors`}:\n` +
      problems.map((/** @type {Problem} */ each) => `  ${problemLine(file, each)}`).join('\n'),
    hint: () => 'Nothing was changed. docs/configuration.md describes every option.',
  },
  E_CONFIG_ENV_UNKNOWN: {
    exitCode: exitCodes.notFound,
    message: ({ file, name, known }) =>
      `No app of ${file} has an env_${name} for --env ${name}. ` +
      (known.length > 0 ? `Environments there: ${known.join(', ')}.` : 'It names no environment.'),
  },
  E_CONFIG_APP_UNKNOWN: {
    exitCode: exitCodes.notFound,
    message: ({ file, names, known }) =>
      `${file} has no app ${names.join(', ')}. Apps there: ${known.join(', ')}.`,
  },
  E_FLAG_INVALID: {
    exitCode: exitCodes.usage,
    message: ({ problems }) =>
      problems.map((/** @type {Problem} */ each) => `${each.key}: ${each.text}`).join('\n'),
    hint: () => 'nodecluster start --help lists the flags.',
  },
};

/**
 * @param {string} file
 * @param {Problem} problem
 */
function problemLine(file, { line, column, key, text }) {
  return `${place(file, line, column)}${key ? ` ${key}` : ''}: ${text}`;
}

/**
 * @param {string} file
 * @param {number|null|undefined} line
 * @param {number|null|undefined} column
 */
function place(file, line, column) {
  return [file, line, column].filter((part) => part !== null && part !== undefined).join(':');
}
