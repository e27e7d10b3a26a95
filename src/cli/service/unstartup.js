import { runsHere } from '../../boot/installation.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { homePaths } from '../../shared/home.js';
import { recordService } from '../../shared/processes/service-record.js';
import { removeService, startDaemonAs } from './install.js';
import { planService, platformArgument, serviceOptions } from './plan.js';
import { checkSudo } from './sudo.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonText, maskLine } from '../../show/mask.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'remove what startup has installed; the apps keep running',
  arguments: [platformArgument],
  options: [...serviceOptions, jsonOption],
  examples: ['nodecluster unstartup', 'sudo nodecluster unstartup --user deploy'],
};

/** @type {Run} */
export async function run(context) {
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
  checkSudo(context, service);
  const removed = await removeService(installation, { ignoreFailures: !runsHere(initSystem) });
  if (removed.length === 0) {
    const [{ path }] = installation.files;
    printResult([], `Nothing to remove: ${maskLine(path)} does not exist.`);
    return exitCodes.ok;
  }
  const list = removed.map(maskLine).join(' and ');
  printResult(removed, `Removed ${list}. The apps keep running; they no longer start at boot.`);
  // The daemon of the service has exited.
  if (account.uid === process.geteuid?.()) {
    recordService(homePaths(service.home).service, false);
    await context.daemons.open();
  } else if (!(await startDaemonAs(service, account.home))) {
    note(`The next nodecluster command of ${service.user} starts a daemon in the background.`);
  }
  return exitCodes.ok;
}
