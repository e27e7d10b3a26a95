/** `send` and `signal`: what reaches the programs themselves. */
import { selectorsFor } from '../../api/selectors.js';
import { shellLine } from '../../shared/quoting.js';
import { NodeclusterError } from '../../errors/error.js';
import { jsonOption, appsArgument } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { constants } from 'node:os';
import { formatCount } from '../../show/quantity.js';

/**
 * @import { CommandModule } from '../command.js'
 * @import { Context } from '../context.js'
 * @import { Sent } from '../../protocol/shapes.js'
 */

/** @type {CommandModule} */
export const send = {
  command: {
    summary: "send a message to the workers' process.on('message')",
    details: 'Prints how many workers it was sent to. Whether a program listens is not known.',
    arguments: [
      {
        name: '<apps>',
        summary: 'a name, worker id, name:slot, namespace, script, /regex/ or all',
      },
      { name: '<json>', summary: 'the message: an object, a quoted string, a number …' },
    ],
    options: [jsonOption],
    examples: [`nodecluster send api '{"reload": "cache"}'`, `nodecluster send api:0 '"dump"'`],
  },
  async run(context) {
    const [selector, text] = context.words;
    const message = parseMessage(selector, text);
    const client = await context.openForApps();
    const selectors = await selectorsFor(context, client, [selector]);
    const result = await client.request('send', { selectors, message });
    return showReceipts(context, result, 'E_MESSAGE_UNHEARD', {});
  },
};

/** @param {string} selector @param {string} text @throws {NodeclusterError} E_MESSAGE_JSON */
function parseMessage(selector, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    const isJson = /^\s*["{[]/.test(text);
    const quoted = shellLine(['nodecluster', 'send', selector, JSON.stringify(text)]);
    throw new NodeclusterError('E_MESSAGE_JSON', { reason, line: isJson ? undefined : quoted });
  }
}

/** @type {CommandModule} */
export const signal = {
  command: {
    summary: 'send a signal to the programs of apps',
    details:
      'Unlike `stop` and `restart`, it changes nothing that nodecluster knows: a worker that exits ' +
      'because of the signal is started again like any other.',
    arguments: [{ name: '<signal>', summary: 'SIGUSR2, USR2 or its number' }, appsArgument],
    options: [jsonOption],
    examples: ['nodecluster signal SIGUSR2 api', 'nodecluster sendSignal USR2 api:0'],
  },
  async run(context) {
    const [word, ...targets] = context.words;
    const signal = nameOf(word);
    const client = await context.openForApps();
    const selectors = await selectorsFor(context, client, targets);
    const result = await client.request('signal', { selectors, signal });
    return showReceipts(context, result, 'E_SIGNAL_UNSENT', { signal });
  },
};

/** @param {string} word `SIGUSR2`, `usr2` or `12` @throws {NodeclusterError} E_SIGNAL */
function nameOf(word) {
  const name = `SIG${word.toUpperCase().replace(/^SIG/, '')}`;
  const known = Object.entries(constants.signals);
  const [found] = known.find(([each, number]) => each === name || String(number) === word) ?? [];
  if (found === undefined) throw new NodeclusterError('E_SIGNAL', { signal: word });
  return found;
}

/** @param {Context} context @param {{apps: Sent[]}} result @param {string} code if no worker got it @param {object} data */
function showReceipts({ options, print }, result, code, data) {
  const { apps } = result;
  if (apps.every(({ sent }) => sent.length === 0)) {
    throw new NodeclusterError(code, { ...data, names: apps.map(({ name }) => name) });
  }
  print(options.json ? jsonText(result) : apps.map(renderReceipt).join('\n'));
  return 0;
}

/** @param {Sent} app @returns {string} a sentence */
function renderReceipt({ name, sent, failed }) {
  const verb = failed.length === 1 ? 'has' : 'have';
  const missed =
    failed.length > 0 ? `; ${formatCount(failed.length, 'worker')} ${verb} not received it` : '';
  return `Sent to ${formatCount(sent.length, 'worker')} of ${escapeLine(name)}${missed}.`;
}
