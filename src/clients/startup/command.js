/** `startup` and `unstartup`: the service that starts the daemon at boot. */
import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { ensureHome, homePaths } from '../../shared/home.js';
import { recordService } from '../../shared/processes/service-record.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { installService, isLingering, removeService, startDaemonAs } from './install.js';
import { assertUserIsNamed, noInitSystem, planService, runsHere } from './plan.js';

/** @import { CommandArgument, CommandModule, CommandOption } from '../../cli/command.js' */

/** @type {CommandArgument} */
const platformArgument = {
  name: '[platform]',
  summary: 'systemd, launchd or openrc; default: what this machine runs',
};

/** @type {CommandOption[]} */
const serviceOptions = [
  {
    flags: '-u, --user [name]',
    summary:
      "without a name, use your own service manager, without root; with a name, run that user's apps",
  },
  {
    flags: '--hp <directory>',
    summary: 'home directory of the user, as in PM2; nodecluster uses .nodecluster in it',
    isRare: true,
  },
];

/** @type {CommandModule} */
export const startup = {
  command: {
    summary: 'start the apps at boot: install a service (systemd, launchd, OpenRC)',
    details:
      'As root it installs the service and hands the running daemon over to it; the apps are not touched. ' +
      'As another user it prints the one command to type. With sudo, also in the shell of `sudo -i`, name the user. ' +
      'Without a service, an app whose daemon and primary were killed together stays down until the next command.',
    arguments: [platformArgument],
    options: [
      ...serviceOptions,
      {
        flags: '--socket <address>',
        summary:
          'let systemd open this port, such as 3000 or 127.0.0.1:3000, for the app that listens there',
        repeatable: true,
      },
      {
        flags: '--credential <name:path>',
        summary:
          'let systemd read this file as root, such as db:/etc/shop/db.secret, for the apps of that user',
        repeatable: true,
      },
      {
        flags: '--print',
        summary: 'print the unit, or script, and where it belongs; install nothing',
      },
      jsonOption,
    ],
    examples: [
      'nodecluster startup',
      'nodecluster startup --user',
      'sudo nodecluster startup --user deploy',
      'nodecluster startup --socket 3000',
      'nodecluster startup --print > nodecluster.service',
    ],
  },
  async run(context) {
    const { options, note, print } = context;
    const plan = planService(context);
    const { account, service, initSystem, installation, rootCommand } = plan;
    const files = installation.units.flatMap(({ path, text }) => (text ? [{ path, text }] : []));
    const printResult = (/** @type {boolean} */ installed, /** @type {string} */ sentence) => {
      const result = { service: service.name, installed, command: rootCommand, files };
      print(options.json ? jsonText(result) : sentence);
    };
    if (options.print) {
      printResult(false, textOf(files));
      for (const { path } of files) note(`It belongs in ${escapeLine(path)}.`);
      return exitCodes.ok;
    }
    if (!runsHere(initSystem)) throw noInitSystem(context, { ...plan, home: service.home });
    if (rootCommand !== null) {
      note('Only root can install a service for the whole machine. Type this command:');
      printResult(false, rootCommand);
      return exitCodes.environment;
    }
    assertUserIsNamed(context);
    const { scope, home } = service;
    if (scope === 'user' && initSystem === 'systemd' && !(await isLingering(account.name))) {
      throw new NodeclusterError('E_LINGER', { user: account.name });
    }
    // A service that cannot use it would fail again and again.
    if (account.uid === process.geteuid?.()) ensureHome(home);
    const hasPorts = await installService(installation);
    printResult(true, `Installed ${files.map(({ path }) => escapeLine(path)).join(' and ')}.`);
    note(
      `The apps of ${escapeLine(service.home)} start at boot from now on, and the daemon runs as a service of ` +
        `${service.user}: ${installation.status}`,
    );
    if (!hasPorts) {
      note(
        'systemd could not open the ports of --socket now, and tries again at the next boot. To open them earlier: ' +
          'stop what listens there, run this command again, and start it.',
      );
    }
    return exitCodes.ok;
  },
};

/** Above each of several files is its path, as in `systemctl cat`. @param {{path: string, text: string}[]} files */
function textOf(files) {
  if (files.length === 1) return files[0].text.trimEnd();
  return files.map(({ path, text }) => `# ${escapeLine(path)}\n${text.trimEnd()}`).join('\n\n');
}

/** @type {CommandModule} */
export const unstartup = {
  command: {
    summary: 'remove what startup has installed; the apps keep running',
    arguments: [platformArgument],
    options: [...serviceOptions, jsonOption],
    examples: ['nodecluster unstartup', 'sudo nodecluster unstartup --user deploy'],
  },
  async run(context) {
    const { note, options, print } = context;
    const { account, initSystem, installation, rootCommand, service } = planService(context);
    const printResult = (/** @type {string[]} */ removed, /** @type {string} */ text) => {
      const result = { service: service.name, removed, command: rootCommand };
      print(options.json ? jsonText(result) : text);
    };
    if (rootCommand !== null) {
      note('Only root can remove a service of the whole machine. Type this command:');
      printResult([], rootCommand);
      return exitCodes.environment;
    }
    assertUserIsNamed(context);
    const removed = await removeService(installation, { ignoreFailures: !runsHere(initSystem) });
    if (removed.length === 0) {
      const [{ path }] = installation.units;
      printResult([], `Nothing to remove: ${escapeLine(path)} does not exist.`);
      return exitCodes.ok;
    }
    const list = removed.map(escapeLine).join(' and ');
    printResult(removed, `Removed ${list}. The apps keep running; they no longer start at boot.`);
    // The daemon of the service has exited.
    if (account.uid === process.geteuid?.()) {
      recordService(homePaths(service.home).service, false);
      await context.daemons.open();
    } else if (!(await startDaemonAs(service, account.home))) {
      note(`The next nodecluster command of ${service.user} starts a daemon in the background.`);
    }
    return exitCodes.ok;
  },
};
