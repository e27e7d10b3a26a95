/** `reload` and `restart`: of apps as they are, with new settings, or with those of a file. */
import { applyFile } from './apply-file.js';
import { commandApps } from './request.js';
import { changeSettings } from './settings/change-settings.js';
import { givenSetting } from './settings/given-setting.js';
import { readTarget } from './targets.js';

/**
 * @import { Rolling } from '../../protocol/methods.js'
 * @import { Context } from '../context.js'
 */

/**
 * @param {Context} context
 * @param {'reload' | 'restart'} action
 * @param {{wait?: boolean} & Rolling} [rolling]
 * @returns {Promise<number>} the exit code
 */
export function replaceWorkers(context, action, rolling = {}) {
  const target = readTarget(context);
  if (target.kind !== 'selectors') return applyFile(context, target, { action, ...rolling });
  const { selectors } = target;
  if (givenSetting(context) !== null) {
    return changeSettings(context, selectors, { action, ...rolling });
  }
  const updateEnv = context.options.updateEnv ? { ...context.env } : null;
  return commandApps(context, action, { selectors, updateEnv, ...rolling });
}
