/** Commands that do one thing to the apps that they name. */
import { commandApps, readSelectors, conclude, reportOutcomes } from '../actions/request.js';
import {
  fileOptions,
  jsonOption,
  targetsArgument,
  appsArgument,
  logFilesArgument,
} from '../../show/command-options.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { selectorsFor } from '../../api/selectors.js';

/**
 * @import { CommandModule } from '../command.js'
 * @import { Context } from '../context.js'
 */

/** @type {CommandModule} */
export const stop = {
  command: {
    summary: 'stop apps or single workers; they stay in the list',
    details:
      'Workers finish their open requests first. `nodecluster start <app>` starts them again.',
    arguments: [targetsArgument],
    options: [...fileOptions, jsonOption],
    examples: [
      'nodecluster stop api',
      'nodecluster stop 3 api:1',
      'nodecluster stop all',
      'nodecluster stop ecosystem.yml --only api',
    ],
  },
  run: async (context) => commandApps(context, 'stop', { selectors: await readSelectors(context) }),
};

/** @type {CommandModule} */
export const deleteApps = {
  command: {
    summary: 'stop apps and remove them from the list',
    details: 'Their log files are not deleted.',
    arguments: [targetsArgument],
    options: [...fileOptions, jsonOption],
    examples: [
      'nodecluster delete api',
      'nodecluster del all',
      'nodecluster delete ecosystem.yml --only api',
    ],
  },
  run: async (context) =>
    commandApps(context, 'delete', { selectors: await readSelectors(context) }),
};

/** @type {CommandModule} */
export const scale = {
  command: {
    summary: 'change the number of workers of a running app',
    arguments: [
      { name: '<app>', summary: 'name of the app' },
      { name: '<instances>', summary: '4, +2, -1, or max for one worker per core' },
    ],
    options: [jsonOption],
    examples: ['nodecluster scale api 4', 'nodecluster scale api +2', 'nodecluster scale api max'],
  },
  async run(context) {
    const [selector, instances] = context.words;
    if (!/^([+-]?\d+|max)$/.test(instances)) {
      throw usageError('scale', `instances must be a number, +n, -n or max, not '${instances}'`);
    }
    return commandApps(context, 'scale', { selector, instances });
  },
};

/** @type {CommandModule} */
export const reset = {
  command: {
    summary: 'reset the restart counters of apps',
    details:
      'Earlier crashes no longer count against max_restarts. Nothing is started or stopped: an ' +
      'errored worker stays errored until you start or reload it.',
    arguments: [appsArgument],
    options: [jsonOption],
    examples: ['nodecluster reset api', 'nodecluster reset all'],
  },
  run(context) {
    return commandApps(context, 'reset', { selectors: context.words });
  },
};

/** @type {CommandModule} */
export const save = {
  command: {
    summary: 'check that everything is saved',
    details:
      'Every change is saved when its command ends, so nothing has to be saved by hand: apps that run ' +
      'start again after a reboot, and apps that are stopped stay stopped.',
    arguments: [],
    options: [jsonOption],
    examples: ['nodecluster save'],
  },
  async run(context) {
    const { daemons, options, print } = context;
    const client = await daemons.open();
    const { apps } = client ? await context.request(client, 'save', {}) : { apps: [] };
    const sentence =
      apps.length === 0
        ? 'Nothing to save: there are no apps.'
        : `Saved, as after every change: ${apps.join(', ')}.`;
    print(options.json ? jsonText({ apps }) : escapeLine(sentence));
    return 0;
  },
};

/** @type {CommandModule} */
export const resurrect = {
  command: {
    summary: 'start again what `kill` stopped',
    details:
      'Apps and workers that had been stopped before `kill` stay stopped, and deleted apps do not ' +
      'come back. After a reboot it waits until the apps that ran are online.',
    arguments: [],
    options: [jsonOption],
    examples: ['nodecluster kill && nodecluster resurrect'],
  },
  async run(context) {
    const client = await context.openForApps();
    const result = await context.request(client, 'resurrect', {});
    if (result.apps.length === 0) {
      const { apps } = await client.request('list', {});
      const { home } = context.daemons;
      if (apps.length === 0)
        throw new NodeclusterError('E_NO_APPS', { home, keepsNoSnapshot: true });
      context.note(
        'Nothing to start: every app was stopped with `stop`. `nodecluster start all` starts them.',
      );
    }
    return conclude(context, result);
  },
};

/** @type {CommandModule} */
export const flush = {
  command: {
    summary: 'empty the log files of apps',
    details: 'Rotated log files are deleted. Without arguments it works on all apps.',
    arguments: [logFilesArgument],
    options: [jsonOption],
    examples: ['nodecluster flush api', 'nodecluster flush'],
  },
  run: (context) => commandLogFiles(context, 'flush'),
};

/** @type {CommandModule} */
export const reloadLogs = {
  command: {
    summary: 'reopen log files that another program has moved',
    details:
      'For your own logrotate setup; sending SIGUSR2 to the daemon does the same. The built-in ' +
      'rotation (log_rotate) does not need it. Without arguments it works on all apps.',
    arguments: [logFilesArgument],
    options: [jsonOption],
    examples: ['nodecluster reload-logs', 'nodecluster reload-logs api'],
  },
  run: (context) => commandLogFiles(context, 'reload-logs'),
};

/** @param {Context} context @param {'flush' | 'reload-logs'} method */
async function commandLogFiles(context, method) {
  const client = await context.openForApps();
  const words = context.words.length > 0 ? context.words : ['all'];
  const selectors = await selectorsFor(context, client, words);
  return reportOutcomes(context, await client.request(method, { selectors }));
}
