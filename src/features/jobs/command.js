import { commandApps } from '../../api/selectors.js';
import { concludeNamed } from '../../cli/conclude.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'run jobs now, outside their schedule',
  details:
    'It waits until the runs have ended, and fails if one does; Ctrl-C leaves them running. A job ' +
    'whose last run has not ended is refused, unless it has `overlap: replace`.',
  arguments: [appsArgument],
  options: [{ flags: '--no-wait', summary: 'return when the runs have begun' }, jsonOption],
  examples: ['nodecluster run-now report', 'nodecluster run-now report --no-wait'],
};

/** @type {Run} */
export async function run(context) {
  const untilEnd = context.options.wait !== false;
  const result = await commandApps(context, 'run-now', context.words, { untilEnd });
  return concludeNamed(context, result);
}
