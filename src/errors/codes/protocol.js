import { withExitCode } from '../exit-codes.js';

export const protocolCodes = withExitCode('connection', {
  E_DAEMON_NOT_RUNNING: {
    message: ({ home }) => `No daemon is running for ${home}.`,
    hint: 'If there are apps, `nodecluster ls` starts it; otherwise the first app does: `nodecluster start app.js`.',
  },
  E_DAEMON_SILENT: {
    message: ({ home, pid, socket }) =>
      pid === null && socket
        ? `No daemon is running for ${home}: another program holds ${socket}, and does not answer.`
        : `The daemon of ${home}${pid ? ` (pid ${pid})` : ''} does not answer. The apps keep running.`,
    hint: ({ pid, socket, log }) =>
      pid
        ? `If a signal stopped it, \`kill -CONT ${pid}\` lets it go on, and \`nodecluster ls\` replaces it if an app ` +
          'runs. If it is frozen for another reason, a primary replaces it after about 15 s. ' +
          `\`kill -9 ${pid}\` ends it at once, and the next command starts another one, which adopts the apps.`
        : `Repeat the command${socket ? `, or move ${socket} away` : ''}. Its log is ${log}.`,
  },
  E_DAEMON_UNREACHABLE: {
    message: ({ home, pid, socket }) =>
      `The daemon of ${home} (pid ${pid}) is running but does not listen on ${socket}. ` +
      'The apps keep running.',
    hint: ({ pid, log }) =>
      `If it has just started, repeat the command. Otherwise \`kill -9 ${pid}\` ends it, and the ` +
      `next command starts another one, which adopts the apps. Its log is ${log}.`,
  },
  E_DAEMON_START: {
    message: ({ reason, lastLines = [] }) =>
      [
        `The daemon did not start: ${reason}.`,
        ...lastLines.map((/** @type {string} */ line) => `  | ${line}`),
      ].join('\n'),
    hint: ({ log }) => `Its log is ${log}.`,
  },
  E_PROTOCOL_UNREACHABLE: {
    message: ({ socket, reason }) => `Could not connect to ${socket} (${reason}).`,
    hint: 'The process behind it is not running, or is just starting. Try again.',
  },
  E_PROTOCOL_TIMEOUT: {
    message: ({ what, ms }) =>
      what === 'hello'
        ? `The process at the other end of the socket did not reply within ${ms} ms.`
        : `No reply to ${what} within ${ms} ms.`,
    hint: 'It may be busy, or stopped by SIGSTOP. `nodecluster logs --daemon` may show why.',
  },
  E_PROTOCOL_CLOSED: {
    message: ({ method }) => `The connection closed before the reply to ${method} arrived.`,
    hint: 'Check with `nodecluster ls` what was done, then repeat the command.',
  },
  E_PROTOCOL_VERSION: {
    exitCode: 'refused',
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
  E_PROTOCOL_HELLO: {
    message: 'The first message must be a hello with role, version, protocol and oldest.',
  },
  E_PROTOCOL_SILENT: {
    message: ({ ms }) => `No hello within ${ms} ms of connecting.`,
  },
  E_PROTOCOL_FRAME: {
    message: ({ reason }) => `Received an invalid message: ${reason}.`,
  },
  E_PROTOCOL_FRAME_SIZE: {
    message: ({ maxBytes }) => `A message is longer than ${maxBytes} bytes.`,
  },
  E_PROTOCOL_METHOD: {
    message: ({ method }) => `There is no method ${JSON.stringify(method)}.`,
  },
  E_PROTOCOL_PARAMS: {
    message: ({ method, key }) => `The parameter ${key} of ${method} is missing or not valid.`,
  },
  E_PROTOCOL_CLIENTS: {
    exitCode: 'refused',
    message: ({ maxClients }) => `Too many clients: ${maxClients} are already connected.`,
    hint: ({ hasReserved = false }) =>
      'Wait until a running command ends, or end one, then try again.' +
      (hasReserved ? ' `ls`, `stop`, `delete` and `kill` work even now.' : ''),
  },
  E_PROTOCOL_REQUESTS: {
    exitCode: 'refused',
    message: ({ maxRequests }) =>
      `Too many requests: ${maxRequests} from this client are already waiting for a reply.`,
  },
  E_PROTOCOL_SOCKET: {
    exitCode: 'environment',
    message: ({ socket, reason }) => `Could not listen on ${socket} (${reason}).`,
    hint: 'Check whether a process uses that path, and whether you can write to its directory.',
  },
});
