import { usageError } from '../../errors/error.js';
import { packageFile } from '../../errors/package-file.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { describeOtherVersions } from '../render/versions.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { App, Field } from '../../protocol/shapes.js'
 * @import { Context } from '../context.js'
 * @import { CommandData, Run } from '../command.js'
 */

/** @typedef {{key: string, isDescending: boolean}} Sort key: one of sortKeys */

export const sortKeys = ['name', 'id', 'pid', 'status', 'cpu', 'memory', 'uptime', 'restarts'];

/** Narrower terminals have no room for the measurements of the workers. */
const minTelemetryWidth = 100;

/** @type {CommandData} */
export const command = {
  summary: 'list apps and their workers',
  details:
    'CPU is in percent of one core, memory is resident memory (RSS). Terminals of 100 columns or ' +
    'more also show what the workers measure: loop is how busy the event loop is, delay is how ' +
    'late it runs (p99), p99 is how long requests took in the last minute.\n\n' +
    'After the status comes what is not as it should be: the last line of a program that has ' +
    'failed, where an unresponsive one is blocked, the age of the oldest request without an ' +
    'answer, 5xx 62/70 (of the answers in the last minute), memory +14M/min (it only grows). ' +
    `${packageFile('docs/guides/troubleshooting.md')} says what to do then.`,
  arguments: [{ ...appsArgument, name: '[apps...]' }],
  options: [
    { flags: '-w, --watch', summary: 'keep running and update in place' },
    {
      flags: '--sort <column>',
      summary: `sort by ${sortKeys.join(', ')}; memory:desc shows the largest first`,
      values: sortKeys,
      parse: parseSort,
    },
    { flags: '--problems', summary: 'show only apps and workers that are not as they should be' },
    { flags: '-m, --mini-list', summary: 'a line for each worker: id, name, status and pid' },
    jsonOption,
  ],
  examples: [
    'nodecluster ls',
    'nodecluster ls api web',
    'nodecluster ls --sort memory:desc',
    'nodecluster ls --problems',
    'nodecluster ls --watch',
    "nodecluster ls --json | jq '.apps[].workers[].pid'",
  ],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, print, words } = context;
  if (options.watch && options.json)
    throw usageError('ls', '--watch and --json cannot be combined');
  const client = words.length > 0 ? await context.openForApps() : await daemons.open();
  let selectors; // undefined: all apps
  if (client && words.length > 0) {
    const { selectorsFor } = await import('../../api/selectors.js');
    selectors = await selectorsFor(context, client, words);
  }
  if (options.watch && client) return watch(context, client, selectors);
  const none = { daemon: null, apps: [], notes: [] };
  const params = { fields: fieldsFor(context), selectors };
  const listed = client ? await client.request('list', params) : none;
  const { daemon, notes } = listed;
  let { apps } = listed;
  if (options.sort || options.problems) {
    const { arrangeApps } = await import('../render/sort.js');
    apps = arrangeApps(apps, options);
  }
  if (options.json) print(jsonText({ daemon, apps, notes }));
  else await show(context, apps, [...notes, ...describeOtherVersions(daemon, apps)]);
  return 0;
}

/** @param {string} text `memory:desc` @returns {Sort} @throws {RangeError} what it expects */
export function parseSort(text) {
  const [, name, order = 'asc'] = /^([a-z]+)(?::(asc|desc))?$/.exec(text) ?? [];
  const key = sortKeys.find((each) => each === name);
  if (key) return { key, isDescending: order === 'desc' };
  throw new RangeError(`It must be one of ${sortKeys.join(', ')}, with :asc or :desc after it`);
}

/** @param {Context} context @returns {Field[]} */
function fieldsFor({ options, stdout }) {
  // Workers do not measure for a script that polls, and its JSON does not depend on the width.
  const telemetry = !options.json && (stdout.width ?? 0) >= minTelemetryWidth;
  return telemetry ? ['usage', 'vitals'] : ['usage'];
}

/** @param {Context} context @param {DaemonClient} client @param {string[]} [selectors] by default all apps */
async function watch(context, client, selectors) {
  const { watchTable } = await import('../render/watch-table.js');
  const chosen = selectors && (await client.request('list', { selectors })).apps;
  const names = chosen?.map(({ name }) => name);
  return watchTable(context, names);
}

/** @param {Context} context @param {App[]} apps @param {string[]} below notes of the daemon */
async function show({ options, print, note, stdout, stderr }, apps, below) {
  const { renderList, renderTable } = await import('../render/ls.js');
  const { renderNotes } = await import('../../show/terminal/notes.js');
  const { miniList, problems } = options;
  const now = Date.now();
  print(miniList ? renderList(apps, now, problems) : renderTable(apps, stdout, now, problems));
  for (const line of [...renderNotes(apps, stderr), ...below.map(escapeLine)]) note(line);
}
