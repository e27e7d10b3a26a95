/** `attach`: shows the output of a worker, and writes what is typed to its stdin. */
import { askDaemon } from '../../api/find-daemon.js';
import { DEFAULT_LINES } from '../../api/logs/merged-logs.js';
import { selectorsFor } from '../../api/selectors.js';
import { homePaths } from '../../shared/home.js';

/**
 * @import { CommandData, Run } from '../command.js'
 * @import { Context } from '../context.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show the output of a worker, and write to its stdin',
  details:
    'Ctrl-C or Ctrl-D leaves it; the program runs on. Several workers in cluster mode have /dev/null ' +
    'as their stdin, and the worker of `run` has that of `run`.',
  arguments: [{ name: '<worker>', summary: 'name:slot, a worker id, or an app with one worker' }],
  options: [],
  examples: ['nodecluster attach game:0', 'echo save | nodecluster attach game'],
};

/** @type {Run} */
export async function run(context) {
  await context.openForApps();
  // What is wrong is said before anything is typed.
  await write(context, '');
  const ended = new AbortController();
  const options = { lines: DEFAULT_LINES, ended: ended.signal };
  const shown = context.runCommand('logs', { words: context.words, options });
  const typed = passInput(context, ended.signal).finally(() => ended.abort());
  await Promise.race([shown, typed]);
  ended.abort();
  return shown;
}

/** @param {Context} context @param {AbortSignal} ended */
async function passInput(context, ended) {
  const decoder = new TextDecoder();
  for await (const chunk of context.stdin) {
    if (ended.aborted) return;
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    await write(context, text);
  }
}

/** `logs` closes the connection of the context. @param {Context} context @param {string} text */
function write(context, text) {
  return askDaemon(homePaths(context.daemons.home), 'cli', async (client) => {
    const selectors = await selectorsFor(context, client, context.words);
    await client.request('input', { selectors, text });
  });
}
