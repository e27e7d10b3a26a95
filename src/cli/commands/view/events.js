import { followEvents } from '../../actions/follow-events.js';
import { renderEvent } from '../../render/event.js';
import { jsonLine } from '../../render/mask.js';

/** @import { CommandData, Run } from '../../verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'show events of apps and workers as they happen',
  details:
    'On a terminal each event is a readable line; otherwise, and with --json, it is a JSON object ' +
    'per line. Press Ctrl-C to stop.',
  arguments: [
    {
      name: '[apps...]',
      summary: 'only these apps; without arguments all apps, also those started later',
    },
  ],
  options: [{ flags: '--json', summary: 'print JSON objects on a terminal too' }],
  examples: [
    'nodecluster events',
    'nodecluster events api --json | jq \'select(.type == "worker.exited")\'',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { options, write, stdout } = context;
  const isReadable = stdout.width !== null && !options.json;
  return followEvents(context, (event) =>
    write(`${isReadable ? renderEvent(event, stdout) : jsonLine(event)}\n`),
  );
}
