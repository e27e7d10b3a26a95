/**
 * The first process of a container is the parent of every process that has lost its own, and Node waits
 * only for processes that it started. So a shell takes its place (bin/nodecluster-runtime).
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import { Context } from '../context.js' */

const SHELL = '/bin/sh';
const SCRIPT = fileURLToPath(new URL('../../../bin/nodecluster-runtime', import.meta.url));

/**
 * Does not return if this process is the first one and a shell can take its place.
 * @param {Context} context
 */
export function leaveFirstPlace({ env, note, command, commands }) {
  if (process.pid !== 1) return;
  // Node 22.15 and later; not in the types of Node 20.
  const { execve } = /** @type {{execve?: (file: string, args: string[], env: object) => void}} */ (
    process
  );
  if (execve && existsSync(SHELL)) {
    const { aliases } = commands.find(({ name }) => name === command) ?? { aliases: [] };
    const names = [command, ...aliases];
    const variables = { ...env, NODECLUSTER_RUNTIME_NODE: process.execPath };
    execve.call(process, SHELL, [SHELL, SCRIPT, ...argumentsAfter(names)], variables);
  }
  note(
    'This is the first process of a container, and Node does not reap processes that lost their parent: ' +
      'they stay as zombies. Start `nodecluster-runtime` in place of `nodecluster run`, or the container with `--init`.',
  );
}

/** @param {string[]} names of the command, which the script adds */
function argumentsAfter(names) {
  const args = process.argv.slice(2);
  const at = args.findIndex((word) => names.includes(word.toLowerCase()));
  return args.filter((_, index) => index !== at);
}
