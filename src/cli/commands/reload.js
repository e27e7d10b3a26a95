import { replaceWorkers } from '../actions/change-settings.js';
import { reloadFeatures } from '../../features/reload.js';
import {
  fileOptions,
  jsonOption,
  rollingOptions,
  rollingParams,
  targetsArgument,
  updateEnvOption,
} from '../../show/command-options.js';
import { rareSettingOptions } from '../setting-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'replace workers one by one; in cluster mode no request is lost',
  details:
    'In cluster mode a new worker listens before an old one stops accepting connections. In fork ' +
    'mode the new worker starts after the old one has exited. With an ecosystem file, every app of ' +
    'it gets its new settings and new code; `apply` does only what the file changed. The options ' +
    'of `start` change settings of an app, and arguments after -- those of its program.',
  arguments: [targetsArgument],
  options: [
    ...fileOptions,
    updateEnvOption,
    ...rollingOptions,
    ...reloadFeatures.flatMap(({ flags }) => flags),
    jsonOption,
    ...rareSettingOptions(),
  ],
  examples: [
    'nodecluster reload api',
    'nodecluster reload api -i 4 --max-memory-restart 300M',
    'nodecluster reload api --update-env',
    'nodecluster reload api --on-failure rollback',
    ...reloadFeatures.flatMap(({ examples }) => examples),
    'nodecluster reload api --no-wait',
    'nodecluster reload ecosystem.yml',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { options } = context;
  const added = reloadFeatures.map(({ fromFlags }) => fromFlags(options));
  return replaceWorkers(context, 'reload', Object.assign(rollingParams(options), ...added));
}
