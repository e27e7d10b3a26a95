import { selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { renderEnv } from '../render/env.js';
import { jsonText } from '../../show/mask.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: "show the environment of an app's workers",
  details: 'Values that look like secrets are masked.',
  arguments: [appsArgument],
  options: [{ flags: '--show-secrets', summary: 'do not mask them' }, jsonOption],
  examples: ['nodecluster env api', 'nodecluster env api --show-secrets'],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, print, stdout } = context;
  const client = await context.openForApps();
  const showSecrets = options.showSecrets === true;
  const selectors = await selectorsFor(context, client, words);
  const reply = await client.request('env', { selectors, showSecrets });
  print(options.json ? jsonText(reply) : renderEnv(reply.apps, stdout));
  return 0;
}
