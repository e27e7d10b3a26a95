import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const updateCodes = {
  E_UPDATE_FAILED: {
    exitCode: exitCodes.connection,
    message: ({ reason, lastLines = [], running }) =>
      [
        `The installed version could not take over: ${reason}.`,
        ...lastLines.map((/** @type {string} */ line) => `  | ${line}`),
        managedBy(running),
      ].join('\n'),
    hint: ({ log }) => `Its log is ${log}.`,
  },
  E_UPDATE_FOREGROUND: {
    exitCode: exitCodes.refused,
    message: ({ pid }) =>
      `These apps belong to \`nodecluster run\` (pid ${pid}), which ends with them, so no other daemon can take over.`,
    hint: () => 'Replace the container, or stop it and start it with the new version.',
  },
  E_UPDATE_OTHER_COMMAND: {
    exitCode: exitCodes.refused,
    message: ({ node, cli, ownNode, ownCli }) =>
      [
        'The service of this home directory runs another command than this one. Nothing was changed.',
        `  the service: ${node} ${cli}`,
        `  this one:    ${ownNode} ${ownCli}`,
      ].join('\n'),
    hint: ({ node, cli }) =>
      'To give this command to the service, run `nodecluster startup` as when you installed it. ' +
      `To update that one: \`${node} ${cli} update\`.`,
  },
  E_UPDATE_NO_SERVICE: {
    exitCode: exitCodes.connection,
    message: ({ seconds, running }) =>
      [
        `The service did not start the installed version within ${seconds} s.`,
        managedBy(running),
      ].join('\n'),
    hint: () => 'The log of the service says why. `nodecluster startup` installs it again.',
  },
  E_PRIMARY_STAYS: {
    exitCode: exitCodes.refused,
    message: ({ app, address }) =>
      `The primary of ${app} was not replaced: its socket ${address} cannot be handed over.`,
    hint: ({ app }) =>
      `To replace it with an interruption: \`nodecluster stop ${app} && nodecluster start ${app}\`.`,
  },
  E_SECOND_PRIMARY: {
    exitCode: exitCodes.appFailed,
    message: ({ app, reason }) =>
      `The second primary process of ${app} ${reason}, so the first one keeps serving.`,
    hint: ({ log }) => `Its log is ${log}.`,
  },
};

/** @param {{version: string, pid: number} | null | undefined} running undefined: it is not known */
function managedBy(running) {
  if (running) return `nodecluster ${running.version} (pid ${running.pid}) manages the apps.`;
  return running === null
    ? 'No daemon is running. The apps keep running.'
    : 'It is not known whether a daemon is running. The apps keep running.';
}
