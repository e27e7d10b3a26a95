import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const daemonCodes = {
  E_HOME_UNUSABLE: {
    exitCode: exitCodes.environment,
    message: ({ directory, reason }) => `Could not make the directory ${directory} (${reason}).`,
    hint: () => 'Set NODECLUSTER_HOME to a directory that you may write to.',
  },
  E_HOME_NOT_A_DIRECTORY: {
    exitCode: exitCodes.environment,
    message: ({ directory }) => `${directory} is no directory of its own (a link or a file).`,
    hint: () => 'Remove it, or set NODECLUSTER_HOME to another, real directory.',
  },
  E_HOME_FOREIGN: {
    exitCode: exitCodes.environment,
    message: ({ directory, owner, uid }) =>
      `${directory} belongs to user ${owner}, but you are user ${uid}.`,
    hint: () => 'Set NODECLUSTER_HOME to a directory of your own.',
  },
  E_HOME_OPEN: {
    exitCode: exitCodes.environment,
    message: ({ directory, mode }) =>
      `Others may enter ${directory} (mode ${mode}), and with it they could command your apps.`,
    hint: ({ directory }) => `Close it with \`chmod 700 ${directory}\`.`,
  },
  E_HOME_WRITE: {
    exitCode: exitCodes.environment,
    message: ({ file, reason }) => `Could not write ${file}: ${reason}`,
    hint: () => 'Nothing was changed on the disk. Make room, or give yourself the right to write.',
  },
  E_END_UNWRITTEN: {
    exitCode: exitCodes.environment,
    message: ({ file, reason }) =>
      `It was ended, but that could not be written to ${file}: ${reason}`,
    hint: () => 'Make room and repeat the command, or the next daemon will start it again.',
  },
  E_REQUEST_INVALID: {
    exitCode: exitCodes.usage,
    message: ({ what }) => `The daemon was asked for what it cannot understand: ${what}.`,
    hint: () => 'Use the commands of the nodecluster that started the daemon (`nodecluster ping`).',
  },
  E_HOME_READ: {
    exitCode: exitCodes.environment,
    message: ({ file, reason }) => `Could not read ${file}: ${reason}`,
    hint: () => 'It holds what shall run. Give yourself the right to read it, or remove it.',
  },
  E_APP_UNKNOWN: {
    exitCode: exitCodes.notFound,
    message: ({ selector, known }) =>
      known.length === 0
        ? `There is no app ${JSON.stringify(selector)}: no app was started in this home.`
        : `There is no app ${JSON.stringify(selector)}. There are: ${known.join(', ')}.`,
    hint: ({ nearest }) =>
      nearest ? `Did you mean ${nearest}?` : '`nodecluster ls` shows names and worker ids.',
  },
  E_WORKER_UNKNOWN: {
    exitCode: exitCodes.notFound,
    message: ({ selector, workers }) =>
      workers.length === 0
        ? `There is no worker with the id ${selector}.`
        : `There is no worker ${selector}. There are: ${workers.join(', ')}.`,
    hint: () => '`nodecluster ls` shows names and worker ids.',
  },
  E_APP_EXISTS: {
    exitCode: exitCodes.refused,
    message: ({ names }) =>
      `${names.join(', ')} ${names.length === 1 ? 'exists' : 'exist'} already; nothing was started.`,
    hint: ({ names }) =>
      `Take over new code with \`nodecluster reload ${names[0]}\`, or start it under another ` +
      'name with --name.',
  },
  E_NAME_TWICE: {
    exitCode: exitCodes.usage,
    message: ({ name }) => `Two of these programs would be called ${name}; nothing was started.`,
    hint: () => 'Start one after the other, each with a --name of its own.',
  },
  E_APP_BUSY: {
    exitCode: exitCodes.refused,
    message: ({ app, doing }) => `${app} is busy: a ${doing} is under way.`,
    hint: ({ app }) => `Wait for it to end; \`nodecluster describe ${app}\` shows how far it is.`,
  },
  E_APP_DELETED: {
    exitCode: exitCodes.notFound,
    message: ({ app }) => `${app} was deleted while this command waited for its turn.`,
  },
  E_WORKER_DELETED: {
    exitCode: exitCodes.notFound,
    message: ({ workers }) =>
      `${workers.join(', ')} ${workers.length === 1 ? 'was' : 'were'} deleted while this command ` +
      'waited for its turn.',
  },
  E_DAEMON_ENDING: {
    exitCode: exitCodes.refused,
    message: () => 'The daemon is just ending.',
    hint: () => 'Repeat the command: it starts a new one.',
  },
  E_SELECTOR_REGEX: {
    exitCode: exitCodes.usage,
    message: ({ selector, reason }) => `${selector} is no regular expression: ${reason}`,
  },
  E_SCALE_COUNT: {
    exitCode: exitCodes.usage,
    message: ({ instances, present }) =>
      /^-\d+$/.test(instances)
        ? `Cannot scale by ${instances}: the app has only ${present} worker${present === 1 ? '' : 's'}.`
        : `Cannot scale to ${JSON.stringify(instances)}: give a number from 1 up, +N, -N or max.`,
    hint: () => '`nodecluster stop` ends all workers of an app and keeps it known.',
  },
  E_SCALE_SELECTOR: {
    exitCode: exitCodes.usage,
    message: ({ selector }) => `${selector} names one worker or several apps; scale takes one app.`,
  },
  E_LOG_OF_APP: {
    exitCode: exitCodes.usage,
    message: ({ app }) => `The log files of ${app} are emptied for all of its workers or none.`,
    hint: ({ app }) => `Name the app: \`nodecluster flush ${app}\`.`,
  },
  E_MESSAGE: {
    exitCode: exitCodes.usage,
    message: ({ fault }) => `That message cannot be sent: ${fault}.`,
  },
  E_PRIMARY_START: {
    exitCode: exitCodes.appFailed,
    message: ({ app, reason }) => `The primary process of ${app} ${reason}.`,
    hint: ({ log }) => `Its output is in ${log}.`,
  },
  E_PRIMARY_SILENT: {
    exitCode: exitCodes.connection,
    message: ({ app, pid, reason }) =>
      `The primary process of ${app} (pid ${pid}) runs but does not answer, though it may well ` +
      `serve: ${reason}`,
    hint: ({ pid }) =>
      'It is asked again and again, so try later. If it hangs for good, ' +
      `\`kill -9 ${pid}\` has it replaced.`,
  },
  E_APP_KILLED: {
    exitCode: exitCodes.appFailed,
    message: ({ app }) => `${app} was stopped by \`nodecluster kill\` before the command was done.`,
  },
  E_PRIMARY_GONE: {
    exitCode: exitCodes.appFailed,
    message: ({ app }) => `The primary process of ${app} ended before the command was done.`,
    hint: ({ log }) => `It is started again. Its last words are in ${log}.`,
  },
};
