import { jsonOption } from '../options.js';
import { jsonText } from '../render/mask.js';
import { renderNotes, renderTable } from '../render/table.js';

/** @type {import('../verbs.js').CommandData} */
export const command = {
  summary: 'show every app and its workers',
  details: 'CPU is in percent of one core, memory what is resident (RSS).',
  arguments: [],
  options: [jsonOption],
  examples: ['nodecluster ls', "nodecluster ls --json | jq '.apps[].workers[].pid'"],
};

/** @param {import('../context.js').Context} context */
export async function run({ daemons, options, print, note, stdout, stderr }) {
  const client = await daemons.open('recorded');
  const listed = client ? await client.request('list') : { daemon: null, apps: [] };
  if (options.json) {
    print(jsonText(listed));
    return 0;
  }
  print(renderTable(listed.apps, stdout));
  for (const line of renderNotes(listed.apps, stderr)) note(line);
  return 0;
}
