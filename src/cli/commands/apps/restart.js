import { applyFile } from '../../actions/apply-file.js';
import { assertNoSettings, changeSettings, givenSetting } from '../../actions/change-settings.js';
import { commandApps } from '../../actions/request.js';
import { readTarget } from '../../actions/targets.js';
import { fileOptions, jsonOption, targetsArgument, updateEnvOption } from '../../options.js';
import { rareSettingOptions } from '../../setting-options.js';

/** @import { CommandData, Run } from '../../verbs.js' */

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
  const { options, env } = context;
  const target = readTarget(context);
  if (target.kind !== 'selectors') {
    assertNoSettings(context, 'an ecosystem file contains its own settings');
    return applyFile(context, target, { action: 'restart' });
  }
  if (givenSetting(context) !== null) {
    return changeSettings(context, target.selectors, { action: 'restart' });
  }
  const updateEnv = options.updateEnv ? { ...env } : null;
  return commandApps(context, 'restart', { selectors: target.selectors, updateEnv });
}
