import { exitCodes } from '../../../errors/exit-codes.js';
import { homePaths } from '../../../shared/home.js';
import { recordService } from '../../../shared/processes/service-record.js';
import { removeService, startDaemonAs } from '../../actions/service/install.js';
import { planService } from '../../actions/service/plan.js';
import { platformArgument, serviceOptions } from '../../actions/service/options.js';
import { maskLine } from '../../render/mask.js';

/** @import { CommandData, Run } from '../../verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'remove what startup has installed; the apps keep running',
  arguments: [platformArgument],
  options: [...serviceOptions],
  examples: ['nodecluster unstartup', 'sudo nodecluster unstartup --user deploy'],
};

/** @type {Run} */
export async function run(context) {
  const { note, print } = context;
  const { account, installation, rootCommand, service } = planService(context);
  if (rootCommand !== null) {
    note('Only root can remove a service of the whole machine. Type this command:');
    print(rootCommand);
    return exitCodes.environment;
  }
  const files = installation.files.map(({ path }) => maskLine(path)).join(', ');
  if (!(await removeService(installation))) {
    print(`Nothing to remove: ${files} does not exist.`);
    return exitCodes.ok;
  }
  print(`Removed ${files}. The apps keep running; they no longer start at boot.`);
  // The daemon of the service has exited.
  if (account.uid === process.geteuid?.()) {
    recordService(homePaths(service.home).service, false);
    await context.daemons.open();
  } else if (!(await startDaemonAs(service, account.home))) {
    note(`The next nodecluster command of ${service.user} starts a daemon in the background.`);
  }
  return exitCodes.ok;
}
