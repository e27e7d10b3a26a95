import { constants } from 'node:os';
import { selectorsFor } from '../../api/selectors.js';
import { NodeclusterError } from '../../errors/error.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';
import { jsonText } from '../../show/mask.js';
import { renderReceipt } from '../render/receipt.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'send a signal to the programs of apps',
  details:
    'Unlike `stop` and `restart`, it changes nothing that nodecluster knows: a worker that exits ' +
    'because of the signal is started again like any other.',
  arguments: [{ name: '<signal>', summary: 'SIGUSR2, USR2 or its number' }, appsArgument],
  options: [jsonOption],
  examples: ['nodecluster signal SIGUSR2 api', 'nodecluster sendSignal USR2 api:0'],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, print } = context;
  const [word, ...targets] = words;
  const signal = nameOf(word);
  const client = await context.openForApps();
  const selectors = await selectorsFor(context, client, targets);
  const result = await client.request('signal', { selectors, signal });
  const { apps } = result;
  if (apps.every(({ sent }) => sent.length === 0)) {
    throw new NodeclusterError('E_SIGNAL_UNSENT', { signal, names: apps.map(({ name }) => name) });
  }
  print(options.json ? jsonText(result) : apps.map(renderReceipt).join('\n'));
  return 0;
}

/**
 * @param {string} word `SIGUSR2`, `usr2` or `12`
 * @returns {string}
 * @throws {NodeclusterError} E_SIGNAL
 */
function nameOf(word) {
  const name = `SIG${word.toUpperCase().replace(/^SIG/, '')}`;
  const known = Object.entries(constants.signals);
  const [found] = known.find(([each, number]) => each === name || String(number) === word) ?? [];
  if (found === undefined) throw new NodeclusterError('E_SIGNAL', { signal: word });
  return found;
}
