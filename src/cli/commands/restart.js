import { replaceWorkers } from '../actions/change-settings.js';
import {
  fileOptions,
  jsonOption,
  targetsArgument,
  updateEnvOption,
} from '../../show/command-options.js';
import { rareSettingOptions } from '../setting-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'stop workers, then start them again',
  details:
    'In cluster mode workers finish their open requests, and new connections wait until a worker ' +
    'is back. In fork mode open requests are interrupted. To keep serving, use `reload` in cluster ' +
    'mode. The options of `start` change settings of an app, and arguments after -- those of its ' +
    'program.',
  arguments: [targetsArgument],
  options: [...fileOptions, updateEnvOption, jsonOption, ...rareSettingOptions()],
  examples: [
    'nodecluster restart api',
    'nodecluster restart api --set-env LOG=debug',
    'nodecluster restart all --update-env',
    'nodecluster restart ecosystem.yml --only api,web',
  ],
};

/** @type {Run} */
export async function run(context) {
  return replaceWorkers(context, 'restart');
}
