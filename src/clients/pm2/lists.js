/** PM2's small commands for scripts: `jlist`, `prettylist`, `id` and `pid`. */
import { inspect } from 'node:util';
import { jsonLine, maskMessage } from '../../show/mask.js';
import { fetchProcessList } from './process-list.js';

/**
 * @import { CommandModule } from '../../cli/command.js'
 * @import { Worker } from '../../protocol/shapes.js'
 * @import { Context } from '../../cli/context.js'
 */

/** @type {CommandModule} */
export const jlist = {
  command: {
    summary: 'print the workers as JSON, in the shape of PM2',
    details:
      'For scripts written for PM2. It contains no environment, because that may contain secrets. ' +
      'In new scripts use `ls --json`.',
    arguments: [],
    options: [],
    examples: ["nodecluster jlist | jq '.[].pm2_env.status'"],
  },
  async run(context) {
    context.print(jsonLine(await fetchProcessList(context)));
    return 0;
  },
};

/** @type {CommandModule} */
export const prettylist = {
  command: {
    summary: 'print the workers in the shape of PM2, formatted for reading',
    arguments: [],
    options: [],
    examples: ['nodecluster prettylist'],
  },
  async run(context) {
    const { print, stdout } = context;
    const list = await fetchProcessList(context);
    const text = inspect(list, { depth: null, maxArrayLength: null, colors: stdout.colours });
    const lines = text.split('\n').map((line) => maskMessage(line, stdout.colours));
    print(lines.join('\n'));
    return 0;
  },
};

/** @type {CommandModule} */
export const id = {
  command: {
    summary: 'print the worker ids of an app, as PM2 does',
    details: 'For an unknown app it prints `[]`.',
    arguments: [{ name: '<app>', summary: 'name of the app' }],
    options: [],
    examples: ['nodecluster id api'],
  },
  async run(context) {
    const [name] = context.words;
    const ids = (await listWorkers(context, name)).map((worker) => worker.id);
    context.print(ids.length > 0 ? `[ ${ids.join(', ')} ]` : '[]');
    return 0;
  },
};

/** @type {CommandModule} */
export const pid = {
  command: {
    summary: 'print the process ids of an app or of all, one per line',
    details:
      'For a worker that does not run it prints 0, as PM2 does, and for an unknown app nothing.',
    arguments: [{ name: '[app]', summary: 'name of the app' }],
    options: [],
    examples: ['nodecluster pid api'],
  },
  async run(context) {
    const workers = await listWorkers(context, context.words.at(0) ?? null);
    if (workers.length > 0) context.print(workers.map((worker) => worker.pid ?? 0).join('\n'));
    return 0;
  },
};

/**
 * @param {Context} context
 * @param {string | null} name null: of all apps
 * @returns {Promise<Worker[]>} none for an unknown app
 */
async function listWorkers({ daemons }, name) {
  const client = await daemons.open();
  const { apps } = client ? await client.request('list', {}) : { apps: [] };
  return apps.filter((app) => name === null || app.name === name).flatMap(({ workers }) => workers);
}
