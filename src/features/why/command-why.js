import { exitCodes } from '../../errors/exit-codes.js';
import { selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { paint } from '../../show/terminal/palette.js';
import { renderStacks } from './show.js';
import { jsonText } from '../../show/mask.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'show where blocked workers are: the functions that their event loops are in',
  details:
    'Opens the inspector of a blocked worker for a moment, on loopback, and closes it again. A worker that ' +
    'is not blocked is only asked whether it replies. The exit code is 5 if a worker could not be looked into.',
  arguments: [appsArgument],
  options: [jsonOption],
  examples: ['nodecluster why api', 'nodecluster why api:1 --json'],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, print, stdout } = context;
  const client = await context.openForApps();
  const selectors = await selectorsFor(context, client, words);
  const { apps } = await client.request('why', { selectors });
  print(options.json ? jsonText({ apps }) : renderStacks(apps, paint(stdout)));
  const running = apps.flatMap(({ workers }) => workers).filter(({ pid }) => pid !== null);
  const isKnown = running.length > 0 && running.every(({ state }) => state !== 'unknown');
  return isKnown ? exitCodes.ok : exitCodes.appFailed;
}
