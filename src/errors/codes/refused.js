import { withExitCode } from '../exit-codes.js';

export const refusedCodes = withExitCode('refused', {
  E_PROTOCOL_VERSION: {
    message: ({ client, server }) =>
      `${client.role === 'cli' ? 'This command' : `The ${client.role}`} (nodecluster ${client.version}, protocol ${client.protocol}) and the ` +
      `running ${server.role} (nodecluster ${server.version}, protocol ${server.protocol}, ` +
      `pid ${server.pid}) have no protocol in common.`,
    hint: ({ server }) => {
      const command = server.role === 'primary' ? 'update --apps' : 'update';
      return (
        `\`nodecluster ${command}\` replaces that ${server.role} with the installed version; the ` +
        'apps keep running. Until then ls, stop, delete and kill work.'
      );
    },
  },
  E_PROTOCOL_CLIENTS: {
    message: ({ maxClients }) => `Too many clients: ${maxClients} are already connected.`,
    hint: ({ hasReserved = false }) =>
      'Wait until a running command ends, or end one, then try again.' +
      (hasReserved ? ' `ls`, `stop`, `delete` and `kill` work even now.' : ''),
  },
  E_PROTOCOL_REQUESTS: {
    message: ({ maxRequests }) =>
      `Too many requests: ${maxRequests} from this client are already waiting for a reply.`,
  },
  E_PROGRAM_CHANGED: {
    message: ({ app, reason }) =>
      `Could not replace the workers of app ${app}: its command, read again from package.json, no longer starts one Node program: ${reason.replace(/\.$/, '')}.`,
    hint: ({ app }) =>
      `The old workers keep serving. Correct package.json and repeat the command. If it is right as it is: \`nodecluster delete ${app}\`, then start it again.`,
  },
  E_APP_EXISTS: {
    message: conflictText,
    hint: ({ name, reason }) => {
      const other = '`--name <other>`';
      if (reason === 'program') return `Give this one another name: ${other}.`;
      if (reason === 'file') {
        return `Start it with \`nodecluster start ${name}\`, or a second copy with ${other}.`;
      }
      return (
        `New code: \`nodecluster reload ${name}\`. New settings: the same with options, such as ` +
        `\`nodecluster reload ${name} -i 4\`. A second copy: ${other}.`
      );
    },
  },
  E_NAME_TAKEN: {
    message: ({ name }) => `Could not rename the app: there is another one called ${name}.`,
    hint: 'Choose another name; `nodecluster ls` shows those that are taken.',
  },
  E_APP_BUSY: {
    message: ({ app, doing, waiting }) =>
      waiting
        ? `${app} is busy: ${waiting} commands are waiting for their turn.`
        : `${app} is busy: a ${doing} is in progress.`,
    hint: ({ app, waiting }) =>
      waiting
        ? 'Wait until some of them are done.'
        : `Wait until it ends; \`nodecluster describe ${app}\` shows its progress.`,
  },
  E_DAEMON_ENDING: {
    message: 'The command was not carried out: the daemon is shutting down.',
    hint: 'Repeat the command: it starts a new daemon.',
  },
  E_PRIMARY_USER: {
    message: ({ app, uid }) => `${app} has \`uid\` ${uid}, but its primary runs as another user.`,
    hint: ({ app }) => `Restart it: \`nodecluster restart ${app}\`.`,
  },
  E_SCALE_FORK: {
    message: ({ app, reason }) => `App ${app} can have only one worker, because ${reason}.`,
    hint: 'Start the Node program itself, which can share its port, or, if it serves no port, use --exec-mode fork.',
  },
  E_SCALE_RANGE: {
    message: ({ app, count, min, max }) =>
      `Cannot scale ${app} to ${count}: it scales itself between ${min} and ${max} workers.`,
    hint: ({ app, count }) =>
      `For a fixed number, use \`nodecluster reload ${app} -i ${count}\`; other limits belong in \`instances\` of its file.`,
  },
  E_FILE_EXISTS: {
    message: ({ file }) => `${file} already exists and was not changed.`,
    hint: ({ mayReplace = true }) =>
      mayReplace
        ? 'Edit it, rename it, or replace it with `--force`.'
        : 'Remove it, or name another file with `--output`.',
  },
  E_LOG_OF_USER: {
    message: ({ app }) =>
      `Could not empty the log files of ${app}: it is stopped, and they belong to another user.`,
    hint: ({ app }) => `Start it first: \`nodecluster start ${app}\`.`,
  },
  E_LOG_TIMELESS: {
    message: ({ path }) =>
      `--since needs the time of each line, and the lines in ${path} have none.`,
    hint: ({ app }) =>
      `Set \`log_type: text\` and \`time: true\` for ${app} (with the date, if you set log_date_format), or use --lines.`,
  },
  E_DAEMON_RUNS: {
    message: ({ home, pid, isService }) =>
      `Another daemon${isService ? ', started by an init system,' : ''} runs for ${home} (pid ${pid}).`,
    hint: ({ isService }) =>
      isService
        ? 'Two services use the same home directory: `nodecluster unstartup` removes one.'
        : 'It keeps the apps running in the background. `nodecluster startup` hands them over to the init system.',
  },
  E_UPDATE_FOREGROUND: {
    message: ({ pid }) =>
      `These apps belong to \`nodecluster run\` (pid ${pid}), which ends with them, so no other daemon can take over.`,
    hint: 'Replace the container, or stop it and start it with the new version.',
  },
  E_UPDATE_OTHER_COMMAND: {
    message: ({ node, cli, ownNode, ownCli }) =>
      [
        'The service of this home directory runs another command than this one. Nothing was changed.',
        `  the service: ${node} ${cli}`,
        `  this one:    ${ownNode} ${ownCli}`,
      ].join('\n'),
    hint: ({ node, cli }) =>
      'To make the service run this command, repeat the `nodecluster startup` that installed it. ' +
      `To update the command of the service: \`${node} ${cli} update\`.`,
  },
  E_PRIMARY_STAYS: {
    message: ({ app, address }) =>
      `The primary of ${app} was not replaced: its socket ${address} cannot be handed over.`,
    hint: ({ app }) =>
      `To replace it with an interruption: \`nodecluster stop ${app} && nodecluster start ${app}\`.`,
  },
});

/** Settings that differ, in one message. */
const MAX_KEYS = 5;

/** @param {Record<string, any>} conflict */
function conflictText({ name, reason, program, existing, file, keys = [] }) {
  if (reason === 'program') {
    return `App ${name} already exists and is another program: ${existing}, not ${program}.`;
  }
  if (reason === 'file') return `App ${name} already exists, with the settings of ${file}.`;
  const more = keys.length > MAX_KEYS ? `, and ${keys.length - MAX_KEYS} more` : '';
  const which = `${keys.slice(0, MAX_KEYS).join(', ')}${more}`;
  return `App ${name} already runs ${program}${which && `, with other settings: ${which}`}.`;
}
