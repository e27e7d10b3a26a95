/** @import { ErrorEntry } from '../exit-codes.js' */

/** What to do if a file cannot be written, by the reason. @type {Record<string, string>} */
const UNWRITABLE = {
  EDQUOT: 'Free some space, or write to another disk.',
  EISDIR: 'It is a directory: name a file in it.',
  ENOENT: 'Create its directory first.',
  ENOSPC: 'Free some space, or write to another disk.',
};

/** @type {Record<string, ErrorEntry>} */
export const cliCodes = {
  E_USAGE: {
    exitCode: 'usage',
    message: ({ detail }) => `${detail}.`,
    hint: ({ command, suggestion, forProgram, advice }) => {
      if (advice) return advice;
      const help = `See \`nodecluster ${command ? `${command} ` : ''}--help\`.`;
      if (suggestion) return `Did you mean ${suggestion}? ${help}`;
      return forProgram ? `Options for the program itself go after --. ${help}` : help;
    },
  },
  E_PM2_ONLY: {
    exitCode: 'usage',
    message: ({ word, advice }) => `nodecluster does not have ${word}. ${advice}`,
  },
  E_NOTHING_NAMED: {
    exitCode: 'usage',
    message: ({ command, directory }) => {
      const what = ['apply', 'export'].includes(command) ? 'file' : 'app';
      return `Nothing to ${command}: you named no ${what}, and ${directory} has no ecosystem file.`;
    },
    hint: ({ command, hasPackage }) => {
      if (command === 'export')
        return 'Name a file: `nodecluster export kubernetes ecosystem.yml`.';
      if (command === 'run') return 'Name a program, or create a file with `nodecluster init`.';
      if (command === 'apply') return 'Name a file, or create one with `nodecluster init`.';
      if (command !== 'start') {
        return `Name apps or worker ids, or use \`nodecluster ${command} all\`.`;
      }
      const start = hasPackage
        ? 'Start the program of its package.json with `nodecluster start .`'
        : 'Name a program (`nodecluster start app.js -i max`)';
      return `${start}, or create a file with \`nodecluster init\`.`;
    },
  },
  E_MIXED_TARGETS: {
    exitCode: 'usage',
    message: ({ file }) => `The ecosystem file ${file} cannot be combined with other targets.`,
    hint: ({ command }) =>
      `Give only the file (--only a,b limits it to those apps), or only names: \`nodecluster ${command} a b\`.`,
  },
  E_OPTION_NEEDS_FILE: {
    exitCode: 'usage',
    message: ({ option }) => `${option} only works with an ecosystem file.`,
    hint: ({ command, option }) => {
      const file = `Name the file: \`nodecluster ${command} ecosystem.yml\`.`;
      return option === '--env' && command === 'start'
        ? `${file} Without a file, \`--set-env NODE_ENV=production\` sets a variable.`
        : file;
    },
  },
  E_NEITHER_FILE_NOR_APP: {
    exitCode: 'notFound',
    message: ({ word, directory, isCommand }) =>
      isCommand
        ? `Could not start ${word}: ${directory} has no such file, and no app has that name.`
        : `Found no file, no command in PATH and no app with the name ${word}.`,
    hint: ({ word, directory, nearest, known = [], isCommand, line = word }) => {
      if (isCommand) {
        const run = line === word ? `${word} --interpreter none` : `"${line}"`;
        return `${word} is a command. Run it with \`nodecluster start ${run}\`.`;
      }
      if (nearest) return `Did you mean ${nearest}?`;
      if (known.length > 0) return `The apps are: ${known.join(', ')}.`;
      return `Check the name and the path. The current directory is ${directory}.`;
    },
  },
  E_NO_APPS: {
    exitCode: 'notFound',
    message: ({ home, file }) =>
      `Nothing to do: ${home} has ${file ? `none of the apps in ${file}` : 'no apps'}.`,
    hint: ({ file, keepsNoSnapshot = false }) => {
      if (keepsNoSnapshot)
        return '`delete` also forgets what was saved. Start the apps from their file: `nodecluster start ecosystem.yml`.';
      return file && file !== 'standard input'
        ? `Start them with \`nodecluster start ${file}\`.`
        : 'Start one with `nodecluster start app.js -i max`.';
    },
  },
  E_NO_TERMINAL: {
    exitCode: 'environment',
    message: ({ command, reason }) =>
      reason === 'not one'
        ? `${command} needs a terminal, and stdin or stdout is not one.`
        : `${command} cannot draw on this terminal (${reason}).`,
    hint: 'Use `nodecluster ls --watch` to print the table every second, or `nodecluster metrics` for monitoring.',
  },
  E_NO_PROGRAM: {
    exitCode: 'notFound',
    message: ({ directory }) => `Could not tell which program in ${directory} to run.`,
    hint: 'Name it: `nodecluster start app.js`, or as `main` in package.json.',
  },
  E_PM2_NOT_FOUND: {
    exitCode: 'notFound',
    message: ({ home, file }) => `No PM2 runs with the home ${home}, and ${file} does not exist.`,
    hint: 'Set PM2_HOME, or name a dump: `nodecluster import /path/to/dump.pm2`.',
  },
  E_PM2_LIST: {
    exitCode: 'badFile',
    message: ({ source }) => `${source} is not a list of processes of PM2.`,
    hint: '`pm2 save` writes a dump.pm2.',
  },
  E_PM2_EMPTY: {
    exitCode: 'notFound',
    message: ({ source }) => `Nothing to import: ${source} has no apps.`,
    hint: 'Start them in PM2 first, or name a dump: `nodecluster import /path/to/dump.pm2`.',
  },
  E_PM2_FAILED: {
    exitCode: 'appFailed',
    message: ({ args, reason }) => `\`pm2 ${args.join(' ')}\` failed: ${reason}`,
    hint: '`pm2 ls` and `nodecluster ls` show what runs where.',
  },
  E_NONE_RUNS: {
    exitCode: 'notFound',
    message: ({ home }) => `No app of ${home} is running, so no file was written.`,
    hint: 'Start the apps first: `nodecluster start all`.',
  },
  E_FILE_EXISTS: {
    exitCode: 'refused',
    message: ({ file }) => `${file} already exists and was not changed.`,
    hint: 'Edit it, rename it, or replace it with `--force`.',
  },
  E_FILE_UNWRITABLE: {
    exitCode: 'environment',
    message: ({ file, reason }) => `Could not write ${file} (${reason}).`,
    hint: ({ reason }) => UNWRITABLE[reason] ?? 'Check the permissions of the directory.',
  },
  E_LOG_TIMELESS: {
    exitCode: 'refused',
    message: ({ path }) =>
      `--since needs the time of each line, and the lines in ${path} have none.`,
    hint: ({ app }) =>
      `Set \`log_type: text\` and \`time: true\` for ${app} (with the date, if you set log_date_format), or use --lines.`,
  },
  E_LOG_UNREADABLE: {
    exitCode: 'environment',
    message: ({ file, reason }) => `Could not read the log file ${file} (${reason}).`,
    hint: 'Check the permissions of the file and its directory.',
  },
  E_LOG_MISSED: {
    exitCode: 'environment',
    message: ({ app, files }) =>
      `Could not read ${files} rotated log file${files === 1 ? '' : 's'} of ${app} (deleted).`,
  },
  E_LOG_NONE: {
    exitCode: 'notFound',
    message: ({ home }) => `${home} has no daemon.log: no daemon has run there.`,
    hint: 'Set NODECLUSTER_HOME to use another home directory.',
  },
  E_MESSAGE_JSON: {
    exitCode: 'usage',
    message: ({ reason }) => `The message is not valid JSON: ${reason}.`,
    hint: ({ line = `nodecluster send api '{"reload": "cache"}'` }) =>
      `Quote it for the shell: \`${line}\`.`,
  },
  E_INPUT_TARGET: {
    exitCode: 'usage',
    message: ({ names }) =>
      `Input goes to one worker, but the target names ${names.length === 0 ? 'none' : names.join(', ')}.`,
    hint: ({ names: [name = 'api:0'] }) => `Name one: \`nodecluster attach ${name}\`.`,
  },
  E_INPUT_CLOSED: {
    exitCode: 'appFailed',
    message: ({ name, isRunning, siblings }) => {
      if (!isRunning) return `Worker ${name} does not run, so it reads no input.`;
      return siblings > 0
        ? `Worker ${name} has siblings, so it has no stdin.`
        : `Could not write to the stdin of worker ${name}: its program has closed it, or reads that of \`nodecluster run\`.`;
    },
    hint: ({ name, isRunning, siblings }) => {
      if (!isRunning) return '`nodecluster ls` shows why.';
      const logs = `\`nodecluster logs ${name}\` shows its output.`;
      return siblings > 0
        ? `${logs} With one instance (-i 1), or with --exec-mode fork, its stdin is open.`
        : logs;
    },
  },
  E_INPUT_UNREAD: {
    exitCode: 'appFailed',
    message: ({ name }) =>
      `Worker ${name} does not read its stdin: earlier input is still waiting there, so this was not written.`,
    hint: ({ name }) =>
      `Its program may be busy, or reads no input; \`nodecluster logs ${name}\` shows its output.`,
  },
  E_MESSAGE_UNHEARD: {
    exitCode: 'appFailed',
    message: ({ names }) => `No worker of ${names.join(', ')} has received the message.`,
    hint:
      'Only online workers can receive messages, and in fork mode only with `--interpreter node`. ' +
      'One whose event loop is blocked may receive it later.',
  },
  E_SIGNAL_UNSENT: {
    exitCode: 'appFailed',
    message: ({ signal, names }) =>
      `Could not send ${signal} to any worker of ${names.join(', ')}.`,
    hint: '`nodecluster ls` shows why no worker is running.',
  },
  E_LISTEN_ADDRESS: {
    exitCode: 'usage',
    message: ({ address }) =>
      `Could not listen on ${JSON.stringify(address)}: it is not an address.`,
    hint: 'Give a port (9100) or host and port: 127.0.0.1:9100, [::1]:9100, 0.0.0.0:9100.',
  },
  E_LISTEN: {
    exitCode: 'environment',
    message: ({ address, reason, holder }) => {
      const why = /** @type {Record<string, string>} */ ({
        EADDRINUSE: `in use by ${holder || 'another process'}`,
        EACCES: 'you do not have permission to use that port',
        EADDRNOTAVAIL: 'this machine does not have that address',
        ENOTFOUND: 'no host has that name',
      });
      return `Could not listen on ${address}: ${why[reason] ?? reason}.`;
    },
    hint: 'Choose another address or port after --listen.',
  },
  E_OTLP_PACKAGES: {
    exitCode: 'environment',
    message: ({ name, reason }) =>
      reason
        ? `Could not load the package ${name}, which exports metrics: ${reason}.`
        : `Could not export metrics: the package ${name} is not installed.`,
    hint: ({ packages }) =>
      `Run \`npm install ${packages.join(' ')}\` in this directory, or add -g if nodecluster is installed globally.`,
  },
  E_OTLP_URL: {
    exitCode: 'usage',
    message: ({ url }) =>
      `Could not export metrics to ${JSON.stringify(url)}: it is not an HTTP URL.`,
    hint: 'Give the URL of a collector, such as http://localhost:4318, or `env` for OTEL_EXPORTER_OTLP_ENDPOINT.',
  },
  E_OUTPUT: {
    exitCode: 'environment',
    message: ({ reason }) => `Could not write the result to stdout (${reason}).`,
    hint: 'The command itself was carried out. Check the disk, or where stdout goes.',
  },
};
