import { withExitCode } from '../exit-codes.js';
import { packageFile } from '../package-file.js';

/** @typedef {{line: number|null, column: number|null, key: string, text: string, meant?: string|null}} Problem meant: the key that an unknown one may stand for */

export const badFileCodes = withExitCode('badFile', {
  E_CONFIG_UNREADABLE: {
    message: ({ file, reason }) => `Could not read ${file}: ${reason}.`,
    hint: ({ advice }) => advice,
  },
  E_CONFIG_EMPTY: {
    message: ({ file }) => `${file} does not define any apps.`,
    hint: 'A script must export them. `nodecluster init` writes an example in YAML.',
  },
  E_CONFIG_SYNTAX: {
    message: ({ file, line, column, language, reason, excerpt }) =>
      `${place(file, line, column)} is not valid ${language}: ${reason}` +
      (excerpt ? `\n${excerpt}` : ''),
    hint: 'Nothing was changed.',
  },
  E_CONFIG_PACKAGE: {
    message: ({ file }) => `${file} describes a package, not apps.`,
    hint: 'Start the program of the package with `nodecluster start .`, or write an ecosystem file with `nodecluster init`.',
  },
  E_CONFIG_SCRIPT_FAILED: {
    message: ({ file, line, reason }) => `${place(file, line, null)} threw an error: ${reason}`,
    hint: ({ file }) =>
      `nodecluster runs this file to get its apps. Correct it; \`node ${file}\` may show more.`,
  },
  E_CONFIG_INVALID: {
    message: ({ file, problems }) =>
      `${file} has ${problems.length === 1 ? 'an error' : `${problems.length} errors`}:\n` +
      problems
        .map((/** @type {Problem} */ { line, column, key, text }) => {
          // Of a program's list, and of a file that is a script, only the key is known.
          const at = line === null && key ? [key] : [place(file, line, column), key];
          return `  ${at.filter(Boolean).join(' ')}: ${text}`;
        })
        .join('\n'),
    hint: () =>
      `Nothing was changed. ${packageFile('docs/reference/configuration.md')} describes every option.`,
  },
});

/** @param {string} file @param {number|null} [line] @param {number|null} [column] */
function place(file, line, column) {
  return [file, line, column].filter((part) => part !== null && part !== undefined).join(':');
}
