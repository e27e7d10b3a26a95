import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const cliCodes = {
  E_USAGE: {
    exitCode: exitCodes.usage,
    message: ({ detail }) => `Could not read the command line: ${detail}.`,
    hint: ({ command, suggestion, forProgram, advice }) => {
      if (advice) return advice;
      const help = `See \`nodecluster ${command ? `${command} ` : ''}--help\`.`;
      if (suggestion) return `Did you mean ${suggestion}? ${help}`;
      return forProgram ? `Options for the program itself go after --. ${help}` : help;
    },
  },
  E_NOTHING_NAMED: {
    exitCode: exitCodes.usage,
    message: ({ command, folder }) =>
      `Nothing to ${command}: no app was named and there is no ecosystem file in ${folder}.`,
    hint: ({ command }) =>
      command === 'start'
        ? 'Name a program (`nodecluster start app.js -i max`) or write a file with `nodecluster init`.'
        : `Name apps or worker ids, or say \`nodecluster ${command} all\`.`,
  },
  E_MIXED_TARGETS: {
    exitCode: exitCodes.usage,
    message: ({ file }) => `The ecosystem file ${file} cannot be combined with anything else.`,
    hint: ({ command }) =>
      `Give the file alone (--only a,b picks some of its apps), or names: \`nodecluster ${command} a b\`.`,
  },
  E_OPTION_NEEDS_FILE: {
    exitCode: exitCodes.usage,
    message: ({ option }) => `${option} only works with an ecosystem file.`,
    hint: ({ command }) => `Name the file: \`nodecluster ${command} ecosystem.yml\`.`,
  },
  E_NEITHER_FILE_NOR_APP: {
    exitCode: exitCodes.notFound,
    message: ({ word, folder }) =>
      `Could not start ${word}: there is no such file in ${folder}, and no such app.`,
    hint: ({ word, nearest, known = [], isCommand }) => {
      if (isCommand) {
        return `${word} is a command: \`nodecluster start ${word} --interpreter none\` starts it.`;
      }
      if (nearest) return `Did you mean ${nearest}?`;
      if (known.length > 0) return `The known apps: ${known.join(', ')}.`;
      return 'Look at the path. A command that is no file here needs `--interpreter none`.';
    },
  },
  E_NO_APPS: {
    exitCode: exitCodes.notFound,
    message: ({ command, home, file }) =>
      file
        ? `Nothing to ${command}: no app of ${file} is known in ${home}.`
        : `Nothing to ${command}: ${home} holds no apps.`,
    hint: () => 'Start one with `nodecluster start app.js -i max`.',
  },
  E_DAEMON_NOT_RUNNING: {
    exitCode: exitCodes.connection,
    message: ({ home }) => `No daemon is running for ${home}.`,
    hint: () => 'It starts by itself with the first app: `nodecluster start app.js`.',
  },
  E_NO_TERMINAL: {
    exitCode: exitCodes.environment,
    message: ({ command, reason }) =>
      reason === 'not one'
        ? `${command} draws on a terminal, and stdin or stdout is none.`
        : `${command} cannot draw on this terminal (${reason}).`,
    hint: () =>
      '`nodecluster ls --watch` prints the table again and again, `nodecluster metrics` figures for programs.',
  },
  E_DAEMON_START: {
    exitCode: exitCodes.connection,
    message: ({ reason, lastLines = [] }) =>
      [
        `The daemon did not start: ${reason}.`,
        ...lastLines.map((/** @type {string} */ line) => `  | ${line}`),
      ].join('\n'),
    hint: ({ log }) => `What it had to say is in ${log}.`,
  },
  E_INIT_NOTHING: {
    exitCode: exitCodes.notFound,
    message: ({ folder }) =>
      `Nothing was written: which program in ${folder} shall run cannot be told.`,
    hint: () =>
      'Name it as `main` in package.json, or write an ecosystem.yml with `apps: [{script: ./it.js}]`.',
  },
  E_FILE_EXISTS: {
    exitCode: exitCodes.refused,
    message: ({ file }) => `${file} is there already and was left as it is.`,
    hint: () => 'Rename or remove it first, or change it by hand.',
  },
  E_FILE_UNWRITABLE: {
    exitCode: exitCodes.environment,
    message: ({ file, reason }) => `Could not write ${file} (${reason}).`,
    hint: () => 'Look at the permissions of the folder.',
  },
  E_LOG_TIMELESS: {
    exitCode: exitCodes.refused,
    message: ({ path }) => `--since needs times, and the lines in ${path} say none.`,
    hint: ({ app }) =>
      `Set \`log_type: text\` and \`time: true\` for ${app} (and days in its log_date_format), or use --lines.`,
  },
  E_LOG_UNREADABLE: {
    exitCode: exitCodes.environment,
    message: ({ file, reason }) => `Could not read the log file ${file} (${reason}).`,
    hint: () => 'Look at the permissions of the file and its folder.',
  },
  E_LOG_NONE: {
    exitCode: exitCodes.notFound,
    message: ({ home }) => `There is no daemon.log in ${home}: no daemon has run there.`,
    hint: () => 'NODECLUSTER_HOME names the home directory.',
  },
  E_MESSAGE_JSON: {
    exitCode: exitCodes.usage,
    message: ({ reason }) => `The message is no JSON: ${reason}.`,
    hint: () => 'Quote it for the shell: `nodecluster send api \'{"reload": "cache"}\'`.',
  },
  E_MESSAGE_UNHEARD: {
    exitCode: exitCodes.appFailed,
    message: ({ names }) => `No worker of ${names.join(', ')} could be sent the message.`,
    hint: () =>
      'Workers that are online have a channel for messages in cluster mode, and with ' +
      '`--interpreter node` in fork mode.',
  },
  E_LISTEN_ADDRESS: {
    exitCode: exitCodes.usage,
    message: ({ address }) => `Cannot listen on ${JSON.stringify(address)}: that is no address.`,
    hint: () => 'Give a port (9100) or host and port: 127.0.0.1:9100, [::1]:9100, 0.0.0.0:9100.',
  },
  E_LISTEN: {
    exitCode: exitCodes.environment,
    message: ({ address, reason }) => {
      const why = /** @type {Record<string, string>} */ ({
        EADDRINUSE: 'something else listens there',
        EACCES: 'you may not use that port',
        EADDRNOTAVAIL: 'this machine has no such address',
        ENOTFOUND: 'there is no host of that name',
      });
      return `Could not listen on ${address}: ${why[reason] ?? reason}.`;
    },
    hint: () => 'Choose another address or port: `nodecluster metrics --listen 127.0.0.1:9101`.',
  },
  E_OUTPUT: {
    exitCode: exitCodes.environment,
    message: ({ reason }) => `Could not write the result (${reason}).`,
    hint: () => 'The command itself was carried out. Is the disk full?',
  },
};
