import { openForApps } from '../../actions/on-apps.js';
import { jsonOption } from '../../options.js';
import { renderDescription } from '../../render/describe/app.js';
import { jsonText } from '../../render/mask.js';
import { wrapText } from '../../render/wrap.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show one app in full: settings, workers, log files, last deaths',
  arguments: [{ name: '<apps...>', summary: 'names, worker ids, namespaces, /regex/ or all' }],
  options: [jsonOption],
  examples: ['nodecluster describe api', 'nodecluster show api --json'],
};

/** @param {Context} context */
export async function run(context) {
  const { words, options, print, stdout } = context;
  const client = await openForApps(context);
  const described = await client.request('describe', { selectors: words, telemetry: true });
  const text = () => wrapText(renderDescription(described.apps, stdout, Date.now()), stdout.width);
  print(options.json ? jsonText(described) : text());
  return 0;
}
