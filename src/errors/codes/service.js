/** @import { ErrorEntry } from '../exit-codes.js' */

/** The daemon as a service of the machine, and updates. @type {Record<string, ErrorEntry>} */
export const serviceCodes = {
  E_DAEMON_RUNS: {
    exitCode: 'refused',
    message: ({ home, pid, isService }) =>
      `Another daemon${isService ? ', started by an init system,' : ''} runs for ${home} (pid ${pid}).`,
    hint: ({ isService }) =>
      isService
        ? 'Two services use the same home directory: `nodecluster unstartup` removes one.'
        : 'It keeps the apps running in the background. `nodecluster startup` hands them over to the init system.',
  },
  E_NO_INIT_SYSTEM: {
    exitCode: 'environment',
    message: ({ initSystem = 'systemd, launchd or OpenRC' }) =>
      `This machine does not run ${initSystem === 'openrc' ? 'OpenRC' : initSystem}.`,
    hint: ({ command, user, atBoot }) =>
      command === 'unstartup'
        ? 'For a service of one of them, name it: `nodecluster unstartup systemd`.'
        : `To start the apps at boot from cron, type \`crontab ${user ? `-u ${user} ` : ''}-e\` and add this line: ` +
          `\`@reboot ${atBoot}\`. ` +
          'To print a unit for another machine, name its init system: `nodecluster startup systemd --print`.',
  },
  E_USER_UNKNOWN: {
    exitCode: 'notFound',
    message: ({ user }) => `This machine has no user ${JSON.stringify(user)}.`,
    hint: 'Name the user that owns the apps: `nodecluster startup --user deploy`.',
  },
  E_LINGER: {
    exitCode: 'refused',
    message: ({ user }) =>
      `Without lingering, systemd starts the units of ${user} at login, not at boot, and stops them at logout.`,
    hint: ({ user }) =>
      `Type \`loginctl enable-linger ${user}\` (with sudo if that is refused), then repeat this command.`,
  },
  E_SERVICE: {
    exitCode: 'environment',
    message: ({ command, reason }) => `\`${command}\` failed: ${reason}`,
    hint: ({ log }) => `\`${log}\` may show why. The apps were not touched.`,
  },
  E_SERVICE_FILE: {
    exitCode: 'environment',
    message: ({ file, reason }) => `Could not write or remove ${file} (${reason}).`,
    hint: 'Check the permissions of its directory, and whether the disk is read-only or full.',
  },
  E_UPDATE_FAILED: {
    exitCode: 'connection',
    message: ({ reason, lastLines = [], running }) =>
      [
        `The installed version could not take over: ${reason}.`,
        ...lastLines.map((/** @type {string} */ line) => `  | ${line}`),
        managedBy(running),
      ].join('\n'),
    hint: ({ log }) => `Its log is ${log}.`,
  },
  E_UPDATE_FOREGROUND: {
    exitCode: 'refused',
    message: ({ pid }) =>
      `These apps belong to \`nodecluster run\` (pid ${pid}), which ends with them, so no other daemon can take over.`,
    hint: 'Replace the container, or stop it and start it with the new version.',
  },
  E_UPDATE_OTHER_COMMAND: {
    exitCode: 'refused',
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
  E_UPDATE_NO_SERVICE: {
    exitCode: 'connection',
    message: ({ seconds, running }) =>
      [
        `The service did not start the installed version within ${seconds} s.`,
        managedBy(running),
      ].join('\n'),
    hint: 'The log of the service says why. `nodecluster startup` installs it again.',
  },
  E_PRIMARY_STAYS: {
    exitCode: 'refused',
    message: ({ app, address }) =>
      `The primary of ${app} was not replaced: its socket ${address} cannot be handed over.`,
    hint: ({ app }) =>
      `To replace it with an interruption: \`nodecluster stop ${app} && nodecluster start ${app}\`.`,
  },
  E_UPDATE_ENDED: {
    exitCode: 'appFailed',
    message: ({ app, failed }) => `${app} was not updated, since the update of ${failed} failed.`,
    hint: 'It runs on as before. Repeat `nodecluster update --apps` when the cause is removed.',
  },
  E_SECOND_PRIMARY: {
    exitCode: 'appFailed',
    message: ({ app, reason }) =>
      `The primary of ${app} was not replaced, and the first one keeps serving: ${reason}`,
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
