import { usageError } from '../../errors/error.js';
import { homePaths } from '../../shared/home.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { paint } from '../../show/terminal/palette.js';
import { describeOtherVersions } from '../render/versions.js';
import { parseSort, sortApps, sortKeys } from '../render/sort.js';

/**
 * @import { App } from '../../protocol/shapes.js'
 * @import { Context } from '../context.js'
 * @import { CommandData, Run } from '../command.js'
 */

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
    'answer, 5xx 62/70 (of the answers in the last minute), +14M/min (memory that only grows). ' +
    'docs/troubleshooting.md says what to do then.',
  arguments: [],
  options: [
    { flags: '-w, --watch', summary: 'keep running and update in place' },
    {
      flags: '--sort <column>',
      summary: `sort by ${sortKeys.join(', ')}; memory:desc shows the largest first`,
      values: sortKeys,
      parse: parseSort,
    },
    { flags: '-m, --mini-list', summary: 'a line for each worker: id, name, status and pid' },
    jsonOption,
  ],
  examples: [
    'nodecluster ls',
    'nodecluster ls --sort memory:desc',
    'nodecluster ls --watch',
    "nodecluster ls --json | jq '.apps[].workers[].pid'",
  ],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, print, stdout } = context;
  if (options.watch && options.json) {
    throw usageError('ls', '--watch and --json cannot be combined');
  }
  if (options.watch) {
    const { watchTable } = await import('../render/watch-table.js');
    return watchTable(context);
  }
  const client = await daemons.open();
  // Workers do not measure for a script that polls, and its JSON does not depend on the width.
  const telemetry = !options.json && (stdout.width ?? 0) >= minTelemetryWidth;
  const { daemon, apps, notes } = client
    ? await client.request('list', { fields: telemetry ? ['usage', 'vitals'] : ['usage'] })
    : { daemon: null, apps: [], notes: [] };
  const sorted = sortApps(apps, options.sort ?? null);
  if (options.json) {
    print(jsonText({ daemon, apps: sorted, notes }));
    return 0;
  }
  await show(context, sorted, [...notes, ...describeOtherVersions(daemon, sorted)]);
  return 0;
}

/** @param {Context} context @param {App[]} apps @param {string[]} below notes of the daemon */
async function show({ daemons, options, print, note, stdout, stderr }, apps, below) {
  const { describeDaemonLoss, renderList, renderNotes, renderTable } =
    await import('../render/ls.js');
  print(options.miniList ? renderList(apps) : renderTable(apps, stdout));
  let loss = describeDaemonLoss(apps);
  if (loss.length > 0) {
    // Where an init system runs the daemon, it starts the next one.
    const { hasService } = await import('../../shared/processes/service-record.js');
    if (hasService(homePaths(daemons.home).service)) loss = [];
  }
  const lines = [...renderNotes(apps, stderr), ...below.map(escapeLine)];
  for (const line of [...lines, ...loss.map(paint(stderr).dim)]) note(line);
}
