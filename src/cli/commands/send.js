import { selectorsFor } from '../../api/selectors.js';
import { shellLine } from '../../shared/quoting.js';
import { NodeclusterError } from '../../errors/error.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonText } from '../../show/mask.js';
import { renderReceipt } from '../render/receipt.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: "send a message to the workers' process.on('message')",
  details: 'Prints how many workers it was sent to. Whether a program listens is not known.',
  arguments: [
    { name: '<apps>', summary: 'a name, worker id, name:slot, namespace, script, /regex/ or all' },
    { name: '<json>', summary: 'the message: an object, a quoted string, a number …' },
  ],
  options: [jsonOption],
  examples: [`nodecluster send api '{"reload": "cache"}'`, `nodecluster send api:0 '"dump"'`],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, print } = context;
  const [selector, text] = words;
  const message = parseMessage(selector, text);
  const client = await context.openForApps();
  const selectors = await selectorsFor(context, client, [selector]);
  const result = await client.request('send', { selectors, message });
  const { apps } = result;
  if (apps.every(({ sent }) => sent.length === 0)) {
    throw new NodeclusterError('E_MESSAGE_UNHEARD', { names: apps.map(({ name }) => name) });
  }
  print(options.json ? jsonText(result) : apps.map(renderReceipt).join('\n'));
  return 0;
}

/**
 * @param {string} selector
 * @param {string} text
 * @throws {NodeclusterError} E_MESSAGE_JSON
 */
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
