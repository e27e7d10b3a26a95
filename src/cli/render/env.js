/** `env`: the variables that the workers of an app get, and where each comes from. */
import { maskLine } from '../../show/mask.js';
import { paint } from './palette.js';

/**
 * @import { AppEnvironment } from '../../protocol/shapes.js'
 * @import { Terminal } from './palette.js'
 */

/**
 * @param {AppEnvironment[]} apps
 * @param {Terminal} terminal
 * @returns {string} `KEY=value`, one per line
 */
export function renderEnv(apps, terminal) {
  const { bold, dim } = paint(terminal);
  const blocks = apps.map(({ name, env }) => {
    const title = apps.length > 1 ? [bold(maskLine(name))] : [];
    const keys = Object.keys(env).sort();
    const lines = keys.map((key) => {
      const { value, from } = env[key];
      const source = from === 'shell' ? '' : `  ${dim(`# ${maskLine(from)}`)}`;
      return `${maskLine(key)}=${maskLine(value)}${source}`;
    });
    return [...title, ...lines].join('\n');
  });
  return blocks.join('\n\n');
}
