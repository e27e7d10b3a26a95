/** `describe` and `env`: what the daemon knows of some apps. */
import { fetchDescriptions, selectorsFor } from '../../api/selectors.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { renderDescription } from '../render/describe.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { paint, wrapText } from '../../show/terminal/palette.js';

/**
 * @import { CommandModule } from '../command.js'
 * @import { AppEnvironment } from '../../protocol/shapes.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 */

/** @type {CommandModule} */
export const describe = {
  command: {
    summary: 'show an app in full: settings, workers, log files, recent exits',
    details:
      'When something is wrong with one app: its last changes and who made them, what helps now, and ' +
      'how its workers exited. Then what they measure, the program, its log files and settings.',
    arguments: [appsArgument],
    options: [jsonOption],
    examples: [
      'nodecluster describe api',
      "nodecluster describe api --json | jq '.apps[].workers[].lastExit'",
    ],
  },
  async run(context) {
    const { words, options, print, stdout } = context;
    const client = await context.openForApps();
    const selectors = await selectorsFor(context, client, words);
    const apps = await fetchDescriptions(client, selectors, { fields: ['usage', 'vitals'] });
    const text = () => wrapText(renderDescription(apps, stdout, Date.now()), stdout.width);
    print(options.json ? jsonText({ apps }) : text());
    return 0;
  },
};

/** @type {CommandModule} */
export const env = {
  command: {
    summary: "show the environment of an app's workers",
    details: 'Values that look like secrets are masked.',
    arguments: [appsArgument],
    options: [{ flags: '--show-secrets', summary: 'do not mask them' }, jsonOption],
    examples: ['nodecluster env api', 'nodecluster env api --show-secrets'],
  },
  async run(context) {
    const { words, options, print, stdout } = context;
    const client = await context.openForApps();
    const showSecrets = options.showSecrets === true;
    const selectors = await selectorsFor(context, client, words);
    const reply = await client.request('env', { selectors, showSecrets });
    print(options.json ? jsonText(reply) : renderEnv(reply.apps, stdout));
    return 0;
  },
};

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
