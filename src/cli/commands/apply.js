import { NodeclusterError } from '../../errors/error.js';
import { applyFile } from '../actions/apply-file.js';
import { readTarget } from '../../api/selectors.js';
import {
  fileOptions,
  jsonOption,
  rollingOptions,
  rollingParams,
  updateEnvOption,
} from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'apply what changed in an ecosystem file, and nothing else',
  details:
    'Applies the changed settings of each app with the least disruptive action, and starts apps ' +
    'that do not run. An app whose settings did not change keeps its workers: `reload` also loads ' +
    'new code.',
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
  examples: [
    'nodecluster apply --dry-run',
    'nodecluster apply ecosystem.yml --prune',
    'nodecluster apply ecosystem.yml --only api,web --env production',
  ],
};

/** @type {Run} */
export async function run(context) {
  const target = readTarget(context);
  if (target.kind === 'selectors') {
    const [word] = target.selectors;
    throw new NodeclusterError('E_USAGE', {
      detail: `apply takes an ecosystem file, and ${word} is not one`,
      advice: `To replace the workers of an app, use \`nodecluster reload ${word}\`.`,
    });
  }
  const { prune = false, dryRun = false } = context.options;
  const order = { action: /** @type {const} */ ('apply'), prune, dryRun };
  return applyFile(context, target, { ...order, ...rollingParams(context.options) });
}
