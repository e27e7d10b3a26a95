import { selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { paint } from '../../show/terminal/palette.js';

/**
 * @import { CommandData, Run } from '../command.js'
 * @import { AppEnvironment } from '../../protocol/shapes.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 */

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

/** @param {AppEnvironment[]} apps @param {Terminal} terminal @returns `KEY=value`, one per line */
export function renderEnv(apps, terminal) {
  const { bold, dim } = paint(terminal);
  const blocks = apps.map(({ name, env }) => {
    const title = apps.length > 1 ? [bold(escapeLine(name))] : [];
    const keys = Object.keys(env).sort();
    const lines = keys.map((key) => {
      const { value, from } = env[key];
      const source = from === 'shell' ? '' : `  ${dim(`# ${escapeLine(from)}`)}`;
      return `${escapeLine(key)}=${escapeLine(value)}${source}`;
    });
    return [...title, ...lines].join('\n');
  });
  return blocks.join('\n\n');
}
