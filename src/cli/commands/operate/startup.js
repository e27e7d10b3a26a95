import { NodeclusterError } from '../../../errors/error.js';
import { exitCodes } from '../../../errors/exit-codes.js';
import { installService, isLingering } from '../../actions/service/install.js';
import { planService } from '../../actions/service/plan.js';
import { platformArgument, serviceOptions } from '../../actions/service/options.js';
import { maskLine } from '../../render/mask.js';

/**
 * @import { Installation } from '../../../boot/service.js'
 * @import { CommandData, Run } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'start the apps at boot: install a service (systemd, launchd, OpenRC)',
  details:
    'As root it installs the service and hands the running daemon over to it; the apps are not touched. ' +
    'As another user it prints the one command to type. Without a service, an app whose daemon and primary were killed ' +
    'together stays down until the next command.',
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
      flags: '--print',
      summary: 'print the unit, or script, and where it belongs; install nothing',
    },
  ],
  examples: [
    'nodecluster startup',
    'nodecluster startup --user',
    'sudo nodecluster startup --user deploy',
    'nodecluster startup --socket 3000',
    'nodecluster startup --print > nodecluster.service',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { options, env, note, print } = context;
  const plan = planService(context);
  const { service, installation, rootCommand } = plan;
  if (options.print) {
    print(textOf(installation));
    for (const { path } of installation.files) note(`It belongs in ${maskLine(path)}.`);
    return exitCodes.ok;
  }
  if (rootCommand !== null) {
    note('Only root can install a service for the whole machine. Type this command:');
    print(rootCommand);
    return exitCodes.environment;
  }
  const { initSystem, account } = plan;
  if (service.scope === 'user' && initSystem === 'systemd' && !(await isLingering(account.name))) {
    throw new NodeclusterError('E_LINGER', { user: account.name });
  }
  if (service.user === 'root' && env.SUDO_USER && env.SUDO_USER !== 'root') {
    note(`note: this is for the apps of root. For others: --user ${maskLine(env.SUDO_USER)}`);
  }
  await installService(installation);
  for (const { path } of installation.files) print(`Installed ${maskLine(path)}.`);
  note(
    `The apps of ${maskLine(service.home)} start at boot from now on, and the daemon runs as a service of ` +
      `${service.user}: ${installation.status}`,
  );
  if (service.sockets.length > 0) {
    note(
      'systemd opens the ports of --socket at the next boot. To open them now: stop the apps that listen there, ' +
        'stop the service, start its socket unit and then the service, and start the apps.',
    );
  }
  return exitCodes.ok;
}

/** Above each of several files is its path, as in `systemctl cat`. @param {Installation} installation */
function textOf({ files }) {
  if (files.length === 1) return files[0].text.trimEnd();
  return files.map(({ path, text }) => `# ${maskLine(path)}\n${text.trimEnd()}`).join('\n\n');
}
