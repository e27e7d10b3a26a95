import { start } from '../../api/start.js';
import { settingOptions } from '../../config/flags.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { conclude } from '../conclude.js';
import { orderOf } from '../order.js';
import { fileOptions, jsonOption, updateEnvOption } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'start programs, an ecosystem file, or stopped apps',
  details:
    'It waits until each worker is up, so done means that the app runs. Without arguments it starts ' +
    'the ecosystem file here. Arguments after -- go to the program.',
  arguments: [
    {
      name: '[targets...]',
      summary:
        'a program, a command in quotes, a directory, an ecosystem file (- for stdin), or stopped apps',
    },
  ],
  options: [...settingOptions(), ...fileOptions, updateEnvOption, jsonOption],
  examples: [
    'nodecluster start app.js -i max',
    'nodecluster start app.js --name api -- --port 3000',
    'nodecluster start "npm start" --name web',
    'nodecluster start .',
    'nodecluster start ecosystem.yml --only api --env production',
    'nodecluster start api',
  ],
};

/** @type {Run} */
export async function run(context) {
  const order = orderOf(context);
  const exitCode = conclude(context, await start(context, context.words, order));
  return exitCode || (order.areLeft() ? exitCodes.refused : exitCodes.ok);
}
