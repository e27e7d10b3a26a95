import { commandApps } from '../../actions/request.js';
import { readTarget } from '../../actions/targets.js';
import { applyOptions, jsonOption, targetsArgument, updateEnvOption } from '../../options.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData, Run } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'replace workers one by one; in cluster mode no request is lost',
  details:
    'In cluster mode a new worker listens before an old one stops accepting connections. In fork ' +
    'mode the new worker starts after the old one has exited. With an ecosystem file, each change ' +
    'is applied by the smallest action that is enough.',
  arguments: [targetsArgument],
  options: [
    ...applyOptions,
    updateEnvOption,
    {
      flags: '--parallel <n>',
      summary: 'number of workers to replace at a time',
      parse: parseCount,
    },
    {
      flags: '--on-failure <action>',
      summary: 'if a new worker fails: keep the workers replaced so far (the default), or rollback',
      values: ['keep', 'rollback'],
      parse: parseFailureAction,
    },
    {
      flags: '--no-wait',
      summary: 'return when the reload is accepted; `describe` shows its outcome',
    },
    jsonOption,
  ],
  examples: [
    'nodecluster reload api',
    'nodecluster reload api --update-env',
    'nodecluster reload api --on-failure rollback',
    'nodecluster reload api --no-wait',
    'nodecluster reload ecosystem.yml --prune',
    'nodecluster reload --dry-run',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { options, env } = context;
  const target = readTarget(context);
  const rolling = rollingParams(options);
  if (target.kind !== 'selectors') {
    const { applyFile } = await import('../../actions/apply-file.js');
    return applyFile(context, target, 'reload', rolling);
  }
  const updateEnv = options.updateEnv ? { ...env } : null;
  return commandApps(context, 'reload', { selectors: target.selectors, updateEnv, ...rolling });
}

/** @param {Context['options']} options only those that were given */
function rollingParams(options) {
  return Object.fromEntries(
    ['parallel', 'onFailure', 'wait']
      .filter((key) => options[key] !== undefined)
      .map((key) => [key, options[key]]),
  );
}

/** @param {string} text */
function parseCount(text) {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new RangeError('It must be a number from 1 up');
  return Number(text);
}

/** @param {string} text */
function parseFailureAction(text) {
  if (text !== 'keep' && text !== 'rollback') throw new RangeError('It must be keep or rollback');
  return text;
}
