import { withExitCode } from '../exit-codes.js';

/** @import { Problem } from './bad-file.js' */

export const usageCodes = withExitCode('usage', {
  E_FLAG_INVALID: {
    message: ({ problems }) =>
      problems.map((/** @type {Problem} */ each) => `${each.key}: ${each.text}`).join('\n'),
    hint: 'The command with `--help --all` says what each option takes.',
  },
  E_REQUEST_INVALID: {
    message: ({ what }) => `The daemon received a request that it does not understand: ${what}.`,
    hint: 'Use the version of nodecluster that started the daemon; `nodecluster ping` shows it.',
  },
  E_NAME_TWICE: {
    message: ({ name }) => `Could not start these programs: two of them would be named ${name}.`,
    hint: 'Start them one by one, each with its own --name.',
  },
  E_SELECTOR_REGEX: {
    message: ({ selector, reason }) =>
      `${selector} is not a valid regular expression: ${reason[0].toLowerCase()}${reason.slice(1)}.`,
    hint: 'Correct it, and quote it for the shell: `nodecluster ls "/^api/"`.',
  },
  E_SCALE_COUNT: {
    message: ({ app, instances, present }) =>
      `Cannot scale ${app} from ${present} to ${JSON.stringify(instances)}: give 1 to 1000, max, +N or -N.`,
    hint: ({ app }) => `To stop all its workers and keep the app: \`nodecluster stop ${app}\`.`,
  },
  E_SEVERAL_RUNS: {
    message: ({ homes }) =>
      `\`nodecluster run\` is running here ${homes.length} times, so it is not clear which one is meant.`,
    hint: ({ homes }) => `Name one with NODECLUSTER_HOME: ${homes.join(', ')}`,
  },
  E_USAGE: {
    message: ({ detail }) => `${detail}.`,
    hint: ({ command, suggestion, forProgram, advice }) => {
      if (advice) return advice;
      const help = `See \`nodecluster ${command ? `${command} ` : ''}--help\`.`;
      if (suggestion) return `Did you mean ${suggestion}? ${help}`;
      return forProgram ? `Options for the program itself go after --. ${help}` : help;
    },
  },
  E_PM2_ONLY: {
    message: ({ word, advice }) => `nodecluster does not have ${word}. ${advice}`,
  },
  E_NOTHING_NAMED: {
    message: ({ command, directory }) => {
      const what = ['apply', 'export'].includes(command) ? 'file' : 'app';
      return `Nothing to ${command}: you named no ${what}, and ${directory} has no ecosystem file.`;
    },
    hint: ({ command }) => {
      if (['apply', 'export'].includes(command))
        return 'Name a file, or create one with `nodecluster init`.';
      if (!['start', 'run'].includes(command)) {
        return `Name apps or worker ids, or use \`nodecluster ${command} all\`.`;
      }
      const start = `nodecluster ${command}`;
      return `Name a program (\`${start} app.js\`, or \`${start} .\` for that of a package.json), or create a file with \`nodecluster init\`.`;
    },
  },
  E_MIXED_TARGETS: {
    message: ({ file }) => `The ecosystem file ${file} cannot be combined with other targets.`,
    hint: ({ command }) =>
      `Give only the file (--only a,b limits it to those apps), or only names: \`nodecluster ${command} a b\`.`,
  },
  E_OPTION_NEEDS_FILE: {
    message: ({ option }) => `${option} only works with an ecosystem file.`,
    hint: ({ command, option }) => {
      const file = `Name the file: \`nodecluster ${command} ecosystem.yml\`.`;
      return option === '--env' && command === 'start'
        ? `${file} Without a file, \`--set-env NODE_ENV=production\` sets a variable.`
        : file;
    },
  },
});
