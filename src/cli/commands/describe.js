import { fetchDescriptions, selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { renderDescription } from '../render/describe.js';
import { jsonText } from '../../show/escape.js';
import { wrapText } from '../../show/terminal/palette.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'show an app in full: settings, workers, log files, recent exits',
  arguments: [appsArgument],
  options: [jsonOption],
  examples: ['nodecluster describe api', 'nodecluster show api --json'],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, print, stdout } = context;
  const client = await context.openForApps();
  const selectors = await selectorsFor(context, client, words);
  const apps = await fetchDescriptions(client, selectors, { fields: ['usage', 'vitals'] });
  if (options.json) print(jsonText({ apps }));
  else print(wrapText(renderDescription(apps, stdout, Date.now()), stdout.width));
  return 0;
}
