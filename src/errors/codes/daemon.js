import { exitCodes } from '../exit-codes.js';

/** @type {Record<string, import('../catalogue.js').ErrorEntry>} */
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
};
