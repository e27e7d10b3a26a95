import { startFlags } from '../../../config/flags.js';
import { applyOptions, jsonOption, updateEnvOption } from '../../options.js';
import { startApps } from '../../actions/start-apps.js';

/**
 * @import { StartFlag } from '../../../config/flags.js'
 * @import { Context } from '../../context.js'
 * @import { CommandData, CommandOption } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'start programs, an ecosystem file, or apps that were stopped',
  details: [
    'Without arguments: the ecosystem file in this folder. What comes after -- goes to the program.',
    'A name, worker id or other selector brings stopped apps back.',
  ].join('\n'),
  arguments: [
    {
      name: '[targets...]',
      summary: 'a program; an ecosystem file (- for stdin); or names of stopped apps',
    },
  ],
  options: [...startFlags().map(settingOption), ...applyOptions, updateEnvOption, jsonOption],
  examples: [
    'nodecluster start app.js -i max',
    'nodecluster start app.js --name api -- --port 3000',
    'nodecluster start worker.py --set-env QUEUE=mail',
    'nodecluster start ecosystem.yml --only api --env production',
    'nodecluster start api',
  ],
};

/**
 * @param {StartFlag} flag
 * @returns {CommandOption}
 */
function settingOption({ flags, description, repeatable, values }) {
  return { flags, summary: description, repeatable, values };
}

/** @param {Context} context */
export function run(context) {
  return startApps(context);
}
