import { withExitCode } from '../exit-codes.js';
import { packageFile } from '../package-file.js';

/** @typedef {{line: number|null, column: number|null, key: string, text: string}} Problem */

/** What to do if a file cannot be read, by the reason. @type {Record<string, string>} */
const UNREADABLE = {
  'it does not exist': 'Check the path, or create an ecosystem.yml with `nodecluster init`.',
  'it is a directory': 'Name a file in it.',
  'it is not UTF-8': 'Save it as UTF-8.',
  'this version of Node does not run TypeScript':
    'Use Node 22.18 or later, or write the file in YAML, JSON or JavaScript.',
  'permission denied': 'Check the permissions of the file and its directory.',
};

export const configCodes = withExitCode('badFile', {
  E_CONFIG_UNREADABLE: {
    message: ({ file, reason }) => `Could not read ${file}: ${reason}.`,
    hint: ({ similar, reason }) =>
      similar ? `Did you mean ${similar}?` : (UNREADABLE[reason] ?? null),
  },
  E_CONFIG_EMPTY: {
    message: ({ file, isScript }) =>
      `${file} ${isScript ? 'exports nothing' : 'does not define any apps'}.`,
    hint: ({ isScript }) =>
      isScript
        ? 'Is `module.exports =` or `export default` missing?'
        : '`nodecluster init` writes an example with comments.',
  },
  E_CONFIG_SYNTAX: {
    message: ({ file, line, column, language, reason, excerpt }) =>
      `${place(file, line, column)} is not valid ${language}: ${reason}` +
      (excerpt ? `\n${excerpt}` : ''),
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
      problems.map((/** @type {Problem} */ each) => `  ${describeProblem(file, each)}`).join('\n'),
    hint: ({ problems }) => {
      const hasUnknown = problems.some((/** @type {Problem} */ { text }) =>
        /^unknown key/.test(text),
      );
      const lenient = hasUnknown ? ' `--lenient` ignores unknown keys.' : '';
      return `Nothing was changed.${lenient} ${packageFile('docs/reference/configuration.md')} describes every option.`;
    },
  },
  E_CONFIG_ENV_UNKNOWN: {
    exitCode: 'notFound',
    message: ({ file, name, known }) =>
      `--env ${name} needs env_${name}, and no app in ${file} has one; ` +
      `did you mean ${known.map((/** @type {string} */ each) => `env_${each}`).join(' or ')}?`,
  },
  E_CONFIG_APP_UNKNOWN: {
    exitCode: 'notFound',
    message: ({ file, names, known }) =>
      `${file} has no app named ${names.join(' or ')}. Its apps are: ${known.join(', ')}.`,
  },
  E_FLAG_INVALID: {
    exitCode: 'usage',
    message: ({ problems }) =>
      problems.map((/** @type {Problem} */ each) => `${each.key}: ${each.text}`).join('\n'),
    hint: ({ command = 'start' }) =>
      `\`nodecluster ${command} --help --all\` says what each option takes.`,
  },
  E_CANNOT_RUN: {
    exitCode: 'notFound',
    message: ({ faults }) => `Could not start the app: ${faults.join('; ')}.`,
    hint: ({ faults }) => {
      const isFound = / is not executable/.test(faults.join());
      const advice = isFound
        ? 'Make it executable with `chmod +x`, or name what runs it with `--interpreter`.'
        : 'Check the name and the path.';
      return `${advice} Nothing was changed.`;
    },
  },
  E_PROGRAM_CHANGED: {
    exitCode: 'refused',
    message: ({ app, reason }) =>
      `Could not replace the workers of app ${app}: its command, read again from package.json, no longer starts one Node program: ${reason.replace(/\.$/, '')}.`,
    hint: ({ app }) =>
      `The old workers keep serving. Correct package.json and repeat the command. If it is right as it is: \`nodecluster delete ${app}\`, then start it again.`,
  },
});

/** @param {string} file @param {Problem} problem @returns {string} one line with its position */
function describeProblem(file, { line, column, key, text }) {
  return `${place(file, line, column)}${key ? ` ${key}` : ''}: ${text}`;
}

/** @param {string} file @param {number|null} [line] @param {number|null} [column] */
function place(file, line, column) {
  return [file, line, column].filter((part) => part !== null && part !== undefined).join(':');
}
