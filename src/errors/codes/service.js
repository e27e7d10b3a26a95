import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** The daemon as a service of the machine. @type {Record<string, ErrorEntry>} */
export const serviceCodes = {
  E_DAEMON_RUNS: {
    exitCode: exitCodes.refused,
    message: ({ home, pid, isService }) =>
      `Another daemon${isService ? ', started by an init system,' : ''} runs for ${home} (pid ${pid}).`,
    hint: ({ isService }) =>
      isService
        ? 'Two services use the same home directory: `nodecluster unstartup` removes one.'
        : 'It keeps the apps running in the background. `nodecluster startup` hands them over to the init system.',
  },
  E_NO_INIT_SYSTEM: {
    exitCode: exitCodes.environment,
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
    exitCode: exitCodes.notFound,
    message: ({ user }) => `This machine has no user ${JSON.stringify(user)}.`,
    hint: () => 'Name the user that owns the apps.',
  },
  E_LINGER: {
    exitCode: exitCodes.refused,
    message: ({ user }) =>
      `Without lingering, systemd starts the units of ${user} at login, not at boot, and stops them at logout.`,
    hint: ({ user }) =>
      `Type \`loginctl enable-linger ${user}\` (with sudo if that is refused), then repeat this command.`,
  },
  E_SERVICE: {
    exitCode: exitCodes.environment,
    message: ({ command, reason }) => `\`${command}\` failed: ${reason}`,
    hint: ({ log }) => `\`${log}\` may show why. The apps were not touched.`,
  },
  E_SERVICE_FILE: {
    exitCode: exitCodes.environment,
    message: ({ file, reason }) => `Could not write or remove ${file} (${reason}).`,
    hint: () =>
      'Check the permissions of its directory, and whether the disk is read-only or full.',
  },
};
