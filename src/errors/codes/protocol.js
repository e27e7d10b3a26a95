import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const protocolCodes = {
  E_PROTOCOL_UNREACHABLE: {
    exitCode: exitCodes.connection,
    message: ({ socket, reason }) => `Nobody answers at ${socket} (${reason}).`,
    hint: () => 'Nothing runs there, or it is just starting. Try again.',
  },
  E_PROTOCOL_TIMEOUT: {
    exitCode: exitCodes.connection,
    message: ({ what, ms }) => `No answer to ${what} within ${ms} ms.`,
    hint: () => 'The other process may be very busy or stopped. daemon.log in the home tells more.',
  },
  E_PROTOCOL_CLOSED: {
    exitCode: exitCodes.connection,
    message: ({ method }) => `The connection ended before ${method} was answered.`,
    hint: () => 'See with `nodecluster ls` what has been done, then repeat the command.',
  },
  E_PROTOCOL_VERSION: {
    exitCode: exitCodes.refused,
    message: ({ client, server }) =>
      `The ${client.role} (nodecluster ${client.version}, protocol ${client.protocol}) and the ` +
      `running ${server.role} (nodecluster ${server.version}, protocol ${server.protocol}, ` +
      `pid ${server.pid}) do not understand each other.`,
    hint: ({ server }) =>
      server.role === 'daemon'
        ? `Use nodecluster ${server.version}, or end that daemon with \`kill ${server.pid}\`: ` +
          'the apps go on, and the next command starts a daemon of its own version.'
        : `Use nodecluster ${server.version} for this app, or stop it with that version first.`,
  },
  E_PROTOCOL_HELLO: {
    exitCode: exitCodes.connection,
    message: () => 'The first message must be a hello with role, version and protocol.',
  },
  E_PROTOCOL_SILENT: {
    exitCode: exitCodes.connection,
    message: ({ ms }) => `No hello within ${ms} ms of connecting.`,
  },
  E_PROTOCOL_FRAME: {
    exitCode: exitCodes.connection,
    message: ({ reason }) => `That was no message of this protocol: ${reason}.`,
  },
  E_PROTOCOL_FRAME_SIZE: {
    exitCode: exitCodes.connection,
    message: ({ maxBytes }) => `A message is longer than ${maxBytes} bytes.`,
  },
  E_PROTOCOL_METHOD: {
    exitCode: exitCodes.connection,
    message: ({ method }) => `There is no method ${JSON.stringify(method)}.`,
  },
  E_PROTOCOL_CLIENTS: {
    exitCode: exitCodes.refused,
    message: ({ maxClients }) => `${maxClients} clients are connected already, which is the most.`,
    hint: () => 'Let the commands that are running end, and try again.',
  },
  E_PROTOCOL_REQUESTS: {
    exitCode: exitCodes.refused,
    message: ({ maxRequests }) =>
      `${maxRequests} requests of this client wait for answers already.`,
  },
  E_PROTOCOL_SOCKET: {
    exitCode: exitCodes.environment,
    message: ({ socket, reason }) => `Could not listen on ${socket} (${reason}).`,
    hint: () => 'Look who uses that path, and whether the directory can be written to.',
  },
};
