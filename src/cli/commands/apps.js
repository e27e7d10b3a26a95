/** Commands that do one thing to the apps that they name. */
import { commandApps } from '../../api/selectors.js';
import { namesFor } from '../../api/specs.js';
import { conclude, concludeNamed } from '../conclude.js';
import {
  fileOptions,
  jsonOption,
  targetsArgument,
  appsArgument,
  logFilesArgument,
} from '../../show/command-options.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { formatCount } from '../../show/quantity.js';
import { shellLine } from '../../shared/quoting.js';
import { signalNamed } from '../../shared/processes/signal.js';

/**
 * @import { CommandModule } from '../command.js'
 * @import { Context } from '../context.js'
 * @import { Sent } from '../../protocol/shapes.js'
 */

/** @type {CommandModule} */
export const stop = {
  command: {
    summary: 'stop apps or single workers; they stay in the list',
    details: 'They finish their requests first. `nodecluster start <app>` starts them again.',
    arguments: [targetsArgument],
    options: [...fileOptions, jsonOption],
    examples: ['nodecluster stop api', 'nodecluster stop 3 api:1', 'nodecluster stop all'],
  },
  run: (context) => commandNamed(context, 'stop'),
};

/** @type {CommandModule} */
export const deleteApps = {
  command: {
    summary: 'stop apps and remove them from the list',
    details: 'Without arguments: the apps of the ecosystem file here. Log files are not deleted.',
    arguments: [targetsArgument],
    options: [...fileOptions, jsonOption],
    examples: ['nodecluster delete api', 'nodecluster delete ecosystem.yml --only api'],
  },
  run: (context) => commandNamed(context, 'delete'),
};

/** @param {Context} context @param {'stop' | 'delete' | 'reset'} method */
async function commandNamed(context, method) {
  const names = await namesFor(context, context.words, context.options);
  return concludeNamed(context, await commandApps(context, method, names, {}));
}

/** @type {CommandModule} */
export const scale = {
  command: {
    summary: 'change the number of workers of a running app',
    details:
      'The number holds, also after a reboot, until the file is applied, reloaded or restarted.',
    arguments: [
      { name: '<app>', summary: 'name of the app' },
      { name: '<instances>', summary: '4, +2, -1, or max for one worker per core' },
    ],
    options: [jsonOption],
    examples: ['nodecluster scale api 4', 'nodecluster scale api +2', 'nodecluster scale api max'],
  },
  async run(context) {
    const [selector, instances] = context.words;
    const client = await context.openForApps();
    return conclude(context, await context.request(client, 'scale', { selector, instances }));
  },
};

/** @type {CommandModule} */
export const reset = {
  command: {
    summary: 'reset the restart counters of apps',
    details:
      'Earlier crashes no longer count against max_restarts. An errored worker stays errored.',
    arguments: [appsArgument],
    options: [jsonOption],
    examples: ['nodecluster reset api', 'nodecluster reset all'],
  },
  run: (context) => commandNamed(context, 'reset'),
};

/** @type {CommandModule} */
export const resurrect = {
  command: {
    summary: 'start again what `kill` stopped',
    details:
      'What was stopped before `kill` stays stopped. Apps that had failed are started too. After a ' +
      'reboot it waits until the apps that ran are online.',
    arguments: [],
    options: [jsonOption],
    examples: ['nodecluster kill && nodecluster resurrect'],
  },
  async run(context) {
    const client = await context.openForApps();
    const result = await context.request(client, 'resurrect', {});
    if (result.apps.length === 0) {
      const { apps } = await client.request('list', {});
      if (apps.length === 0)
        throw new NodeclusterError('E_NO_APPS', { home: context.daemons.home });
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
  async run(context) {
    const words = context.words.length > 0 ? context.words : ['all'];
    return conclude(context, await commandApps(context, 'flush', words, {}));
  },
};

/** @type {CommandModule} */
export const send = {
  command: {
    summary: "send a message to the workers' process.on('message')",
    details: 'Prints how many workers it was sent to. Whether a program listens is not known.',
    arguments: [
      {
        name: '<apps>',
        summary: 'a name, worker id, name:slot, namespace, script, /regex/ or all',
      },
      { name: '<json>', summary: 'the message: an object, a quoted string, a number …' },
    ],
    options: [jsonOption],
    examples: [`nodecluster send api '{"reload": "cache"}'`, `nodecluster send api:0 '"dump"'`],
  },
  async run(context) {
    const [selector, text] = context.words;
    const message = parseMessage(selector, text);
    const result = await commandApps(context, 'send', [selector], { message });
    return showReceipts(context, result, 'E_MESSAGE_UNHEARD', {});
  },
};

/** @param {string} selector @param {string} text @throws {NodeclusterError} E_USAGE */
function parseMessage(selector, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    const isJson = /^\s*["{[]/.test(text);
    const message = isJson ? '{"reload": "cache"}' : JSON.stringify(text);
    const advice = `Quote it for the shell: \`${shellLine(['nodecluster', 'send', selector, message])}\`.`;
    throw usageError('send', `The message is not valid JSON: ${reason}`, advice);
  }
}

/** @type {CommandModule} */
export const signal = {
  command: {
    summary: 'send a signal to the programs of apps',
    details:
      'A worker that exits because of it is started again like any other. Most signals end a program ' +
      'that does not handle them.',
    arguments: [{ name: '<signal>', summary: 'SIGUSR2, USR2 or its number' }, appsArgument],
    options: [jsonOption],
    examples: ['nodecluster signal SIGCONT api', 'nodecluster sendSignal CONT api:0'],
  },
  async run(context) {
    const [word, ...targets] = context.words;
    const signal = signalNamed(word);
    const result = await commandApps(context, 'signal', targets, { signal });
    return showReceipts(context, result, 'E_SIGNAL_UNSENT', { signal });
  },
};

/** @param {Context} context @param {{apps: Sent[]}} result @param {string} code if no worker got it @param {object} data */
function showReceipts({ options, print }, result, code, data) {
  const { apps } = result;
  if (apps.every(({ sent }) => sent.length === 0)) {
    throw new NodeclusterError(code, { ...data, names: apps.map(({ name }) => name) });
  }
  const receipts = apps.map(({ name, sent, failed }) => {
    const verb = failed.length === 1 ? 'has' : 'have';
    const missed = `; ${formatCount(failed.length, 'worker')} ${verb} not received it`;
    const whom = `${formatCount(sent.length, 'worker')} of ${escapeLine(name)}`;
    return `Sent to ${whom}${failed.length > 0 ? missed : ''}.`;
  });
  print(options.json ? jsonText(result) : receipts.join('\n'));
  return 0;
}
