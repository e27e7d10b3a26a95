/** `update`, `kill` and `daemon`: of the daemon itself. */
import { daemonScript, updateDaemon } from '../../api/launch-daemon.js';
import { waitForExit, hasRunningApps, killSilent } from '../../api/recorded-apps.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { ensureHome, homePaths } from '../../shared/home.js';
import { identify } from '../../shared/processes/identity.js';
import { hasService } from '../../shared/processes/service-record.js';
import { VERSION } from '../../shared/version.js';
import { conclude } from '../conclude.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { namesText } from '../../show/quantity.js';
import { wrapText } from '../../show/terminal/palette.js';
import { describeOtherVersions, describeUpdate } from '../render/versions.js';

/** @import { CommandModule } from '../command.js' */

/** @type {CommandModule} */
export const update = {
  command: {
    summary: 'replace the daemon with the installed version; apps keep running',
    details:
      'The new daemon takes over once it can start. Workers and connections are not touched.',
    arguments: [],
    options: [
      {
        flags: '--apps',
        summary: 'also replace primaries of other versions, one by one, as in a reload',
      },
      jsonOption,
    ],
    examples: ['npm install -g nodecluster@latest && nodecluster update'],
  },
  async run(context) {
    const { daemons, options, note, print } = context;
    const client = await daemons.open();
    if (!client) {
      const text = `No daemon is running. The next command starts nodecluster ${VERSION}.`;
      print(options.json ? jsonText({ before: null, after: null, apps: [] }) : text);
      return 0;
    }
    const { before, after } = await updateDaemon(homePaths(daemons.home), context.env, client);
    const show = options.apps ? note : print;
    if (!options.json) show(escapeLine(describeUpdate(before, after.daemon)));
    const result = options.apps
      ? await context.request(await daemons.start(), 'update-apps', {})
      : { apps: [] };
    const { apps } = result;
    if (options.json) print(jsonText({ before, after: after.daemon, apps }));
    else if (apps.length > 0) return conclude(context, result);
    else if (options.apps) print('Every primary is up to date.');
    else describeOtherVersions(after.daemon, after.apps).map(escapeLine).forEach(note);
    return apps.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.appFailed;
  },
};

/** @type {CommandModule} */
export const kill = {
  command: {
    summary: 'stop every app and the daemon',
    details: 'The apps stay in the list: `nodecluster resurrect` starts again those that ran.',
    arguments: [],
    options: [jsonOption],
    examples: ['nodecluster kill'],
  },
  async run(context) {
    const { daemons, options, print, stdout } = context;
    const paths = homePaths(daemons.home);
    const reach = () => (hasRunningApps(paths) ? daemons.open() : daemons.find());
    let nothing = 'Nothing to kill: no daemon and no app is running.';
    const client = await reach().catch(async (thrown) => {
      await killSilent(context, paths, thrown);
      nothing = 'No app was running.';
      return reach(); // the next daemon stops the apps
    });
    if (!client) {
      print(options.json ? jsonText({ apps: [], remembered: [] }) : nothing);
      return 0;
    }
    const daemon = identify(client.peer.pid);
    const reply = await context.request(client, 'kill', {});
    await waitForExit(daemon);
    const summary = escapeLine(summaryOf(reply, hasService(paths.service)));
    print(options.json ? jsonText(reply) : wrapText(summary, stdout.width));
    return 0;
  },
};

/** @param {{apps: string[], remembered: string[]}} reply @param {boolean} isService */
function summaryOf({ apps, remembered }, isService) {
  const ended = [
    ...(apps.length > 0 ? [namesText(apps)] : []),
    ...(isService ? [] : ['the daemon']),
  ];
  return [
    `Stopped ${ended.join(' and ') || 'no app'}.`,
    ...(remembered.length > 0 ? ['`nodecluster resurrect` starts again what ran.'] : []),
    ...(isService ? ['The service starts another daemon.'] : []),
  ].join(' ');
}

/** @type {CommandModule} */
export const daemon = {
  command: {
    summary: 'run the daemon in the foreground, for an init system',
    details:
      'Other commands start it in the background when they need it. SIGTERM and Ctrl-C end it; the ' +
      'apps keep running.',
    arguments: [],
    options: [],
    examples: ['nodecluster daemon'],
  },
  async run({ daemons: { home }, becomeDaemon, note, stderr }) {
    await becomeDaemon(home, daemonScript(ensureHome(home), 'run.js'));
    if (stderr.isTerminal) {
      note(`The daemon of ${escapeLine(home)} runs. Ctrl-C ends it; the apps keep running.`);
    }
    return exitCodes.ok;
  },
};
