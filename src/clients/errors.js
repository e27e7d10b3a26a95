/** The error codes of clients. */
import { withExitCode } from '../errors/exit-codes.js';

export const clientCodes = {
  ...withExitCode('appFailed', {
    E_PM2_FAILED: {
      message: ({ args, reason }) => `\`pm2 ${args.join(' ')}\` failed: ${reason}`,
      hint: '`pm2 ls` and `nodecluster ls` show what runs where.',
    },
  }),
  ...withExitCode('notFound', {
    E_PM2_NOT_FOUND: {
      message: ({ reason }) => `Nothing to import: ${reason}.`,
      hint: 'Start the apps in PM2, set PM2_HOME, or name a dump: `nodecluster import /path/to/dump.pm2`.',
    },
    E_USER_UNKNOWN: {
      message: ({ user }) => `This machine has no user ${JSON.stringify(user)}.`,
      hint: 'Name the user that owns the apps: `nodecluster startup --user deploy`.',
    },
  }),
  ...withExitCode('refused', {
    E_PROVE_DOWN: {
      message: ({ app, status, busy }) =>
        busy
          ? `${app} was not touched: a ${busy} is in progress.`
          : `${app} was not touched: it is ${status}, and prove needs an app that is online.`,
      hint: ({ app }) => `\`nodecluster describe ${app}\` shows more.`,
    },
    E_PROVE_ANSWER: {
      message: ({ app, url, reasons }) =>
        `${app} was not touched: it does not answer every request to ${url} (${reasons.join(', ')}).`,
      hint: 'Give the URL of something that answers GET over HTTP/1.1, such as `--url /status`.',
    },
    E_PROVE_ELSEWHERE: {
      message: ({ app, url, requests }) =>
        `${app} was not touched: most of ${requests} requests to ${url} were answered by something else.`,
      hint: 'Give a URL that leads to the app, and not to a cache in front of it.',
    },
    E_LINGER: {
      message: ({ user }) =>
        `Without lingering, systemd starts the units of ${user} at login, not at boot, and stops them at logout.`,
      hint: ({ user }) =>
        `Type \`loginctl enable-linger ${user}\` (with sudo if that is refused), then repeat this command.`,
    },
  }),
  ...withExitCode('environment', {
    E_OTLP_PACKAGES: {
      message: ({ name, reason }) =>
        reason
          ? `Could not load the package ${name}, which exports metrics: ${reason}.`
          : `Could not export metrics: the package ${name} is not installed.`,
      hint: ({ packages }) =>
        `Run \`npm install ${packages.join(' ')}\` in this directory, or add -g if nodecluster is installed globally.`,
    },
    E_WEB_UNBUILT: {
      message: ({ reason }) => `The page is not built here (${reason}).`,
      hint: 'The published package has it; in a checkout, `npm install` brings what builds it.',
    },
    E_NO_INIT_SYSTEM: {
      message: ({ initSystem = 'systemd, launchd or OpenRC' }) =>
        `This machine does not run ${initSystem === 'openrc' ? 'OpenRC' : initSystem}.`,
      hint: ({ command, user, atBoot }) =>
        command === 'unstartup'
          ? 'For a service of one of them, name it: `nodecluster unstartup systemd`.'
          : `To start the apps at boot from cron, type \`crontab ${user ? `-u ${user} ` : ''}-e\` and add this line: ` +
            `\`@reboot ${atBoot}\`. ` +
            'To print a unit for another machine, name its init system: `nodecluster startup systemd --print`.',
    },
    E_SERVICE: {
      message: ({ command, reason }) => `\`${command}\` failed: ${reason}`,
      hint: ({ log }) => `\`${log}\` may show why. The apps were not touched.`,
    },
  }),
};
