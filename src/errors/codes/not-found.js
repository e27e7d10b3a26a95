import { withExitCode } from '../exit-codes.js';

export const notFoundCodes = withExitCode('notFound', {
  E_CONFIG_ENV_UNKNOWN: {
    message: ({ file, name, known }) =>
      `--env ${name} needs env_${name}, and no app in ${file} has one; ` +
      `did you mean ${known.map((/** @type {string} */ each) => `env_${each}`).join(' or ')}?`,
  },
  E_CONFIG_APP_UNKNOWN: {
    message: ({ file, names, known }) =>
      `${file} has no app named ${names.join(' or ')}. Its apps are: ${known.join(', ')}.`,
  },
  E_CANNOT_RUN: {
    message: ({ faults }) => `Could not start the app: ${faults.join('; ')}.`,
  },
  E_APP_UNKNOWN: {
    message: ({ selector, known }) =>
      known.length === 0
        ? `There is no app ${JSON.stringify(selector)}: this home directory has no apps.`
        : `There is no app ${JSON.stringify(selector)}. The apps are: ${known.join(', ')}.`,
    hint: ({ nearest, known }) => {
      if (known.length === 0) return 'Start one with `nodecluster start app.js -i max`.';
      return nearest ? `Did you mean ${nearest}?` : '`nodecluster ls` shows names and worker ids.';
    },
  },
  E_WORKER_UNKNOWN: {
    message: ({ selector, workers }) =>
      `There is no worker ${selector}.` +
      (workers.length > 0 ? ` The workers are: ${workers.join(', ')}.` : ''),
    hint: '`nodecluster ls` shows names and worker ids.',
  },
  E_APP_DELETED: {
    message: ({ app, workers = [app], renamed }) =>
      `${workers.join(', ')} ${workers.length === 1 ? 'was' : 'were'} ` +
      `${renamed ? `renamed to ${renamed}` : 'deleted'} while this command waited for its turn.`,
    hint: ({ workers, renamed }) =>
      workers || renamed
        ? '`nodecluster ls` shows those that are left.'
        : 'To run it again, start its program or its file.',
  },
  E_NEITHER_FILE_NOR_APP: {
    message: ({ word, directory }) => `${directory} has no file ${word}, and no app has that name.`,
    hint: ({ word, nearest, isCommand, line = word }) => {
      if (!isCommand) return nearest ? `Did you mean ${nearest}?` : null;
      const run = line === word ? `${word} --interpreter none` : `"${line}"`;
      return `${word} is a command. Run it with \`nodecluster start ${run}\`.`;
    },
  },
  E_NO_APPS: {
    message: ({ home, file }) =>
      `Nothing to do: ${home} has ${file ? `none of the apps in ${file}` : 'no apps'}.`,
    hint: ({ file }) =>
      file && file !== 'standard input'
        ? `Start them with \`nodecluster start ${file}\`.`
        : 'Start one with `nodecluster start app.js -i max`.',
  },
  E_NO_PROGRAM: {
    message: ({ directory, program }) =>
      `Could not tell which program in ${directory} to run${program ? `: it has no ${program}` : ''}.`,
    hint: 'Name its file, as in `nodecluster init shop.js`, or set `main` in package.json.',
  },
  E_NONE_RUNS: {
    message: ({ home }) => `No app of ${home} is running, so no file was written.`,
    hint: 'Start the apps first: `nodecluster start all`.',
  },
  E_LOG_NONE: {
    message: ({ home }) => `${home} has no daemon.log: no daemon has run there.`,
    hint: 'Set NODECLUSTER_HOME to use another home directory.',
  },
});
