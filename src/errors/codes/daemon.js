/** @import { ErrorEntry } from '../exit-codes.js' */

/** @type {Record<string, {what: string, hint: string}>} */
const UNSAVED = {
  stop: {
    what: 'The app is stopped, but that could not be saved',
    hint:
      'Free some space, and the daemon saves it. A daemon that starts before that starts the app ' +
      'again.',
  },
  delete: {
    what: 'The app is stopped, but its deletion could not be saved',
    hint: 'Free some space and repeat the command.',
  },
  kill: {
    what: 'Everything is stopped, but that could not be saved',
    hint: 'Free some space. The next daemon starts what ran; `nodecluster stop all` stops it again.',
  },
};

/** @type {Record<string, ErrorEntry>} */
export const daemonCodes = {
  E_END_UNWRITTEN: {
    exitCode: 'environment',
    message: ({ during, file, reason }) => `${UNSAVED[during].what} to ${file}: ${reason}`,
    hint: ({ during }) => UNSAVED[during].hint,
  },
  E_REQUEST_INVALID: {
    exitCode: 'usage',
    message: ({ what }) => `The daemon received a request that it does not understand: ${what}.`,
    hint: 'Use the version of nodecluster that started the daemon; `nodecluster ping` shows it.',
  },
  E_APP_UNKNOWN: {
    exitCode: 'notFound',
    message: ({ selector, known }) =>
      known.length === 0
        ? `There is no app ${JSON.stringify(selector)}: this home directory has no apps.`
        : `There is no app ${JSON.stringify(selector)}. The apps are: ${known.join(', ')}.`,
    hint: ({ nearest, runs, selector, known }) => {
      // PM2 names each app after its script.
      if (runs)
        return `${runs.name} runs ${runs.script}. Start it with \`--name ${selector}\` to give it that name.`;
      if (known.length === 0) return 'Start one with `nodecluster start app.js -i max`.';
      return nearest ? `Did you mean ${nearest}?` : '`nodecluster ls` shows names and worker ids.';
    },
  },
  E_WORKER_UNKNOWN: {
    exitCode: 'notFound',
    message: ({ selector, workers }) =>
      workers.length === 0
        ? `There is no worker with the id ${selector}.`
        : `There is no worker ${selector}. The workers are: ${workers.join(', ')}.`,
    hint: '`nodecluster ls` shows names and worker ids.',
  },
  E_APP_EXISTS: {
    exitCode: 'refused',
    message: ({ conflicts }) => conflicts.map(conflictText).join('\n'),
    hint: ({ conflicts: [{ name, reason, count }] }) => {
      const other = '`--name <other>`';
      if (reason === 'program') return `Give this one another name: ${other}.`;
      if (reason === 'file') {
        return `Start it with \`nodecluster start ${name}\`, or a second copy with ${other}.`;
      }
      if (typeof count === 'number') {
        return `Another number of workers: \`nodecluster scale ${name} ${count}\`. A second copy: ${other}.`;
      }
      return (
        `New code: \`nodecluster reload ${name}\`. New settings: the same with options, such as ` +
        `\`nodecluster reload ${name} -i 4\`. A second copy: ${other}.`
      );
    },
  },
  E_NAME_TAKEN: {
    exitCode: 'refused',
    message: ({ name }) => `Could not rename the app: there is another one called ${name}.`,
    hint: 'Choose another name; `nodecluster ls` shows those that are taken.',
  },
  E_NAME_TWICE: {
    exitCode: 'usage',
    message: ({ name }) => `Could not start these programs: two of them would be named ${name}.`,
    hint: 'Start them one by one, each with its own --name.',
  },
  E_APP_BUSY: {
    exitCode: 'refused',
    message: ({ app, doing, waiting }) =>
      waiting
        ? `${app} is busy: ${waiting} commands are waiting for their turn.`
        : `${app} is busy: a ${doing} is in progress.`,
    hint: ({ app, waiting }) =>
      waiting
        ? 'Wait until some of them are done.'
        : `Wait until it ends; \`nodecluster describe ${app}\` shows its progress.`,
  },
  E_APP_DELETED: {
    exitCode: 'notFound',
    message: ({ app }) => `${app} was deleted while this command waited for its turn.`,
    hint: 'To run it again, start its program or its file.',
  },
  E_APP_STOPPED: {
    exitCode: 'appFailed',
    message: ({ app }) => `${app} was stopped while this command waited for its turn.`,
    hint: ({ app }) => `\`nodecluster start ${app}\` starts it.`,
  },
  E_APP_KILLED: {
    exitCode: 'appFailed',
    message: ({ app }) => `\`nodecluster kill\` stopped ${app} before the command was done.`,
    hint: '`nodecluster resurrect` starts what it stopped.',
  },
  E_DAEMON_EXITS: {
    exitCode: 'connection',
    message: ({ app }) => `The daemon is shutting down and did not finish the command on ${app}.`,
    hint: 'The next daemon completes or undoes it; `nodecluster ls` shows the state.',
  },
  E_DEPENDENCY_FAILED: {
    exitCode: 'appFailed',
    message: ({ app, dependency, through, reason, isWaiting, isDeleted }) => {
      const why = reason ? ` (${reason.replace(/[.]$/, '')})` : '';
      const how = through ? ` through ${through}` : '';
      const fault = isDeleted ? 'was deleted' : `failed${why}`;
      return `${dependency} ${fault}, and ${app} depends on it${how}, so ${app} was not ${isWaiting ? 'started yet' : 'touched'}.`;
    },
    hint: ({ app, dependency, isWaiting, isDeleted }) => {
      const cure = isDeleted
        ? `Start ${dependency} again`
        : `\`nodecluster describe ${dependency}\` shows more. Repair it`;
      return `${cure}, then ${isWaiting ? `${app} starts by itself` : 'repeat the command'}.`;
    },
  },
  E_WORKER_DELETED: {
    exitCode: 'notFound',
    message: ({ workers }) =>
      `${workers.join(', ')} ${workers.length === 1 ? 'was' : 'were'} deleted while this command ` +
      'waited for its turn.',
    hint: '`nodecluster ls` shows those that are left.',
  },
  E_DAEMON_LOST: {
    exitCode: 'connection',
    message: ({ method }) =>
      `The connection to the daemon broke before it replied to ${method}, so the outcome of the command is not known.`,
    hint:
      'This daemon, or the next one, completes what had begun, or undoes it. `nodecluster ls` shows the state; ' +
      'then repeat the command if necessary.',
  },
  E_DAEMON_ENDING: {
    exitCode: 'refused',
    message: 'The command was not carried out: the daemon is shutting down.',
    hint: 'Repeat the command: it starts a new daemon.',
  },
  E_SELECTOR_REGEX: {
    exitCode: 'usage',
    message: ({ selector, reason }) =>
      `${selector} is not a valid regular expression: ${reason[0].toLowerCase()}${reason.slice(1)}.`,
    hint: 'Correct it, and quote it for the shell: `nodecluster ls "/^api/"`.',
  },
  E_FILE_UNTRUSTED: {
    exitCode: 'environment',
    message: ({ file, reason }) => `nodecluster does not use the file ${file}: ${reason}.`,
    hint: 'Remove it, or name a file in a directory that no other user can write.',
  },
  E_USER_ACCESS: {
    exitCode: 'environment',
    message: ({ app, user, path }) =>
      `${app} cannot run as ${user}: that user has no access to ${path}.`,
    hint:
      'Node.js, nodecluster and the program must be where that user can read them, such as /usr/local and ' +
      '/srv, not in the home directory of root.',
  },
  E_USER_GROUP: {
    exitCode: 'environment',
    message: ({ app, uid }) =>
      `${app} cannot run as user ${uid}: there is no account that names its group.`,
    hint: 'Set `gid` too, or use a user of this machine.',
  },
  E_PRIVILEGED_PORT: {
    exitCode: 'environment',
    message: ({ app, reason }) => `Could not start ${app}, because the daemon ${reason}.`,
    hint: 'Free that port, or remove it from `privileged_ports`.',
  },
  E_PRIMARY_USER: {
    exitCode: 'refused',
    message: ({ app, uid }) => `${app} has \`uid\` ${uid}, but its primary runs as another user.`,
    hint: ({ app }) => `Restart it: \`nodecluster restart ${app}\`.`,
  },
  E_LOG_FILE: {
    exitCode: 'environment',
    message: ({ file, reason }) => `Could not open the log file ${file} (${reason}).`,
    hint: 'The app keeps running. Check the permissions, or name another file.',
  },
  E_LOG_OF_APP: {
    exitCode: 'usage',
    message: ({ app }) => `Cannot flush the log of a single worker: ${app} is flushed as a whole.`,
    hint: ({ app }) => `Name the app: \`nodecluster flush ${app}\`.`,
  },
  E_SIGNAL: {
    exitCode: 'usage',
    message: ({ signal }) => `${JSON.stringify(signal)} is not a signal.`,
    hint: 'Use a name such as SIGUSR2; `kill -l` lists them.',
  },
  E_MESSAGE: {
    exitCode: 'usage',
    message: ({ fault }) => `Cannot send this message: ${fault}.`,
  },
  E_PRIMARY_START: {
    exitCode: 'appFailed',
    message: ({ app, reason }) => `The primary process of ${app} ${reason}.`,
    hint: ({ log, reason }) =>
      `${shortageHint(reason) ?? `Its log is ${log}.`} The daemon keeps trying.`,
  },
  E_PRIMARY_REPORT: {
    exitCode: 'connection',
    message: ({ app, what }) =>
      `The primary process of ${app} sent a report that is not valid (${what}).`,
    hint: ({ app }) =>
      `If that happens again, \`nodecluster delete ${app}\` stops the app and removes it.`,
  },
  E_PRIMARY_SILENT: {
    exitCode: 'connection',
    message: ({ app, pid, reason }) =>
      `The primary process of ${app} (pid ${pid}) is running but does not answer: ${reason}`,
    hint: ({ pid }) =>
      'The app may still be serving, and the daemon keeps trying to reach it. It replaces a primary ' +
      `that is frozen; \`kill -9 ${pid}\` makes it do so at once.`,
  },
  E_PRIMARY_UNCLEAR: {
    exitCode: 'connection',
    message: ({ app, reason }) =>
      `The daemon could not find out whether ${app} has a primary process: ${reason}`,
    hint: ({ app }) =>
      `The app may be serving, so it is not started again. The daemon keeps trying; ` +
      `\`nodecluster describe ${app}\` shows the reason.`,
  },
  E_PRIMARY_GONE: {
    exitCode: 'appFailed',
    message: ({ app }) => `The primary process of ${app} exited before the command was done.`,
    hint: ({ log }) => `The daemon starts it again. Its log is ${log}.`,
  },
  E_PRIMARY_LOST: {
    exitCode: 'connection',
    message: ({ app }) =>
      `The connection to the primary process of ${app} was lost, so it is not known how the command ended.`,
    hint: ({ app }) => `The app is still running: \`nodecluster describe ${app}\` shows its state.`,
  },
  E_SCALE_COUNT: {
    exitCode: 'usage',
    message: ({ instances, present }) =>
      /^-\d+$/.test(instances)
        ? `Cannot scale by ${instances}: the app has only ${present} worker${present === 1 ? '' : 's'}.`
        : `Cannot scale to ${JSON.stringify(instances)}: use a number from 1 to 1000, +N, -N or max.`,
    hint: ({ instances }) =>
      /^(0|-\d+)$/.test(instances)
        ? 'To stop all workers and keep the app, use `nodecluster stop`.'
        : 'For example: `nodecluster scale api +2`.',
  },
  E_SCALE_FORK: {
    exitCode: 'refused',
    message: ({ app, reason }) => `App ${app} can have only one worker, because ${reason}.`,
    hint: 'Start the Node program itself, which can share its port, or, if it serves no port, use --exec-mode fork.',
  },
  E_SCALE_RANGE: {
    exitCode: 'refused',
    message: ({ app, count, min, max }) =>
      `Cannot scale ${app} to ${count}: it scales itself between ${min} and ${max} workers.`,
    hint: ({ app, count }) =>
      `For a fixed number, use \`nodecluster reload ${app} -i ${count}\`; other limits belong in \`instances\` of its file.`,
  },
  E_SCALE_SELECTOR: {
    exitCode: 'usage',
    message: ({ selector }) =>
      `Cannot scale ${selector}: scale takes one app, not a worker or several apps.`,
    hint: 'Name one app: `nodecluster scale api 4`.',
  },
};

/** @param {string} reason the text of an error of the system */
function shortageHint(reason) {
  if (/\bE[MN]FILE\b/.test(reason)) {
    return 'Raise the limit of open files (`ulimit -n`, or LimitNOFILE of a systemd unit).';
  }
  if (/\bEAGAIN\b/.test(reason)) {
    return 'Raise the limit of processes (`ulimit -u`, or TasksMax of a systemd unit).';
  }
  return /\b(ENOSPC|EDQUOT)\b/.test(reason) ? 'Free some space.' : null;
}

/** Settings that differ, in one message. */
const MAX_KEYS = 5;

/** @param {{name: string, reason: string, program: string, existing: string, file: string, keys?: string[]}} conflict */
function conflictText({ name, reason, program, existing, file, keys = [] }) {
  if (reason === 'program') {
    return `App ${name} already exists and is another program: ${existing}, not ${program}.`;
  }
  if (reason === 'file') return `App ${name} already exists, with the settings of ${file}.`;
  const more = keys.length > MAX_KEYS ? `, and ${keys.length - MAX_KEYS} more` : '';
  const which = `${keys.slice(0, MAX_KEYS).join(', ')}${more}`;
  return `App ${name} already runs ${program}${which && `, with other settings: ${which}`}.`;
}
