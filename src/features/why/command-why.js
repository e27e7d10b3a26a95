import { exitCodes } from '../../errors/exit-codes.js';
import { selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { paint } from '../../show/terminal/palette.js';
import { renderStacks } from './show.js';
import { jsonText } from '../../show/escape.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'show where blocked workers are: the functions that their event loops are in',
  details:
    'When a worker is unresponsive, or uses a whole core and answers nothing: prints the function ' +
    'and the line that block it, without a restart. It opens the inspector of that worker for a ' +
    'moment, on loopback. A worker that replies is left alone: the servers that it is connected to are ' +
    'named. The exit code is 5 if the state of a worker is not known, or none runs.',
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
