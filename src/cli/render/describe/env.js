/** `env`: the variables that the workers of an app get, and where each comes from. */
import { maskLine } from '../mask.js';
import { paint } from '../palette.js';

/** @import { Terminal } from '../palette.js' */

/**
 * @param {{name: string, env: Record<string, {value: string, from: string}>}[]} apps
 * @param {Terminal} terminal
 * @returns {string} `KEY=value`, one a line
 */
export function renderEnv(apps, terminal) {
  return apps.map((app) => renderOne(app, apps.length > 1, terminal)).join('\n\n');
}

/**
 * @param {{name: string, env: Record<string, {value: string, from: string}>}} app
 * @param {boolean} titled
 * @param {Terminal} terminal
 */
function renderOne({ name, env }, titled, terminal) {
  const { bold, dim } = paint(terminal);
  const lines = Object.keys(env)
    .sort()
    .map((key) => {
      const line = `${maskLine(key)}=${maskLine(env[key].value)}`;
      return env[key].from === 'shell' ? line : `${line}  ${dim(`# ${maskLine(env[key].from)}`)}`;
    });
  return [...(titled ? [bold(maskLine(name))] : []), ...lines].join('\n');
}
