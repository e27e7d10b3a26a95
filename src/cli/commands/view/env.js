import { openForApps } from '../../actions/on-apps.js';
import { jsonOption } from '../../options.js';
import { renderEnv } from '../../render/describe/env.js';
import { jsonText } from '../../render/mask.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show the environment that the workers of an app get',
  details: 'Values that look like secrets are masked.',
  arguments: [{ name: '<apps...>', summary: 'names, worker ids, namespaces, /regex/ or all' }],
  options: [{ flags: '--show-secrets', summary: 'mask nothing' }, jsonOption],
  examples: ['nodecluster env api', 'nodecluster env api --show-secrets'],
};

/** @param {Context} context */
export async function run(context) {
  const { words, options, print, stdout } = context;
  const client = await openForApps(context);
  const showSecrets = options.showSecrets === true;
  const answer = await client.request('env', { selectors: words, showSecrets });
  print(options.json ? jsonText(answer) : renderEnv(answer.apps, stdout));
  return 0;
}
