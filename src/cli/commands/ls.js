import { appsArgument, jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { describeOtherVersions } from '../render/versions.js';

/**
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
    'Below the table, the worst first, each app in trouble has its cause and what to type.',
  arguments: [{ ...appsArgument, name: '[apps...]' }],
  options: [
    {
      flags: '--sort <column>',
      summary: `sort by ${sortKeys.join(', ')}; memory:desc shows the largest first`,
      values: sortKeys,
      parse: parseSort,
    },
    jsonOption,
  ],
  examples: [
    'nodecluster ls',
    'nodecluster ls api web',
    'nodecluster ls --sort memory:desc',
    "nodecluster ls --json | jq '.apps[].workers[].pid'",
  ],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, print, words } = context;
  const client = words.length > 0 ? await context.openForApps() : await daemons.open();
  let selectors; // undefined: all apps
  if (client && words.length > 0) {
    const { selectorsFor } = await import('../../api/selectors.js');
    selectors = await selectorsFor(context, client, words);
  }
  const params = { fields: fieldsFor(context), selectors };
  // It loads while the daemon measures.
  if (!options.json) void import('../render/ls.js');
  const all = client ? await client.request('list', params) : { daemon: null, apps: [], notes: [] };
  const { daemon, notes } = all;
  let { apps } = all;
  if (options.sort) {
    const { sortApps } = await import('../render/ls.js');
    apps = sortApps(apps, options.sort);
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

/** @param {Context} context @param {App[]} apps @param {string[]} below notes of the daemon */
async function show({ print, note, stdout, stderr }, apps, below) {
  const { renderTable } = await import('../render/ls.js');
  const { renderNotes } = await import('../../show/terminal/notes.js');
  const now = Date.now();
  const shown = renderTable(apps, stdout, now);
  print(shown);
  for (const line of [...renderNotes(apps, stderr, { shown, now }), ...below.map(escapeLine)])
    note(line);
}
