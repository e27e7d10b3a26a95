/** `reload`, `restart` and `apply`: the workers of apps are replaced. */
import { applyFile, replaceWorkers } from '../../api/replace.js';
import { added } from '../../features/reload.js';
import {
  fileOptions,
  jsonOption,
  rollingOptions,
  rollingParams,
  targetsArgument,
  updateEnvOption,
} from '../../show/command-options.js';
import { settingOptions } from '../../config/flags.js';
import { NodeclusterError } from '../../errors/error.js';
import { fileAmong } from '../../api/selectors.js';
import { jsonText } from '../../show/escape.js';
import { conclude, concludeNamed } from '../conclude.js';
import { applyCommand, orderOf } from '../order.js';
import { renderPlan } from '../render/plan.js';

/**
 * @import { CommandModule } from '../command.js'
 * @import { Order } from '../../api/replace.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { Context } from '../context.js'
 */

/** Most people give these commands none of them. */
const rareSettings = settingOptions().map((option) => ({ ...option, isRare: true }));

/** @type {CommandModule} */
export const reload = {
  command: {
    summary: 'replace workers; in cluster mode no request is lost',
    details:
      'A new worker listens and stays up for min_uptime before an old one stops accepting; in fork ' +
      'mode it starts after the old one has exited. With an ecosystem file, its apps get new settings ' +
      'and new code. The options of `start` change settings, and arguments after -- those of the program.',
    arguments: [targetsArgument],
    options: [
      ...fileOptions,
      updateEnvOption,
      ...rollingOptions,
      ...added.flags,
      jsonOption,
      ...rareSettings,
    ],
    examples: [
      'nodecluster reload api',
      'nodecluster reload api --set-env LOG=debug --set-env TRACE-',
      ...added.examples,
      'nodecluster reload ecosystem.yml --env production',
    ],
  },
  async run(context) {
    const { options } = context;
    const rolling = { ...rollingParams(options), ...added.fromFlags(options) };
    return replace(context, 'reload', rolling);
  },
};

/** @type {CommandModule} */
export const restart = {
  command: {
    summary: 'stop workers, then start them again',
    details:
      'In cluster mode workers finish their requests, and new connections wait; in fork mode requests ' +
      'are interrupted. Options and arguments are those of `reload`.',
    arguments: [targetsArgument],
    options: [...fileOptions, updateEnvOption, jsonOption, ...rareSettings],
    examples: ['nodecluster restart api', 'nodecluster restart all --update-env'],
  },
  run: (context) => replace(context, 'restart'),
};

/** @param {Context} context @param {'reload' | 'restart'} action @param {Order['how']} [how] */
async function replace(context, action, how) {
  const order = orderOf(context, how);
  return concludeNamed(context, await replaceWorkers(context, action, context.words, order));
}

/** @type {CommandModule} */
export const apply = {
  command: {
    summary: 'apply what changed in an ecosystem file, and nothing else',
    details:
      'Changed settings take effect with the least disruptive action, and apps that do not run are ' +
      'started. The others keep their workers: `reload` also loads new code.',
    arguments: [
      {
        name: '[file]',
        summary: 'an ecosystem file (- for stdin); default: the one in this directory',
      },
    ],
    options: [
      ...fileOptions,
      { flags: '--dry-run', summary: 'show what would be done, without doing it' },
      { flags: '--prune', summary: 'delete apps that came from this file and are no longer in it' },
      updateEnvOption,
      ...rollingOptions,
      jsonOption,
    ],
    examples: ['nodecluster apply --dry-run', 'nodecluster apply ecosystem.yml --only api,web'],
  },
  async run(context) {
    const { options, words, print, stdout } = context;
    const file = fileAmong(context, words, {});
    if (file === null) {
      const [word] = words;
      throw new NodeclusterError('E_USAGE', {
        detail: `apply takes an ecosystem file, and ${word} is not one`,
        advice: `To replace the workers of an app, use \`nodecluster reload ${word}\`.`,
      });
    }
    const { prune = false, dryRun = false } = options;
    const order = orderOf(context, { prune, dryRun, ...rollingParams(options) });
    /** @type {Spec[]} */
    let specs = [];
    /** @type {typeof order.onSpecs} */
    const onSpecs = (found, path) => order.onSpecs((specs = found), path);
    const result = await applyFile(context, file, { ...order, onSpecs, action: 'apply' });
    if (!dryRun) return conclude(context, result);
    const { plan, unlisted } = result;
    const source = { specs, apply: applyCommand(context, file) };
    print(options.json ? jsonText(result) : renderPlan(plan, unlisted, source, stdout));
    context.note('Nothing was done. To do it, leave out --dry-run.');
    return 0;
  },
};
