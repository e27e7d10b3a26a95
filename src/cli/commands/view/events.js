import { followEvents } from '../../actions/follow-events.js';
import { renderEvent } from '../../render/event.js';
import { jsonLine } from '../../render/mask.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show what happens to apps and workers, as it happens',
  details:
    'On a terminal a line to read; else, and with --json, a JSON object a line. It goes on until it ' +
    'is ended.',
  arguments: [{ name: '[apps...]', summary: 'only these; without any, all that there ever are' }],
  options: [{ flags: '--json', summary: 'a JSON object a line on a terminal too' }],
  examples: [
    'nodecluster events',
    'nodecluster events api --json | jq \'select(.type == "worker.exited")\'',
  ],
};

/** @param {Context} context */
export async function run(context) {
  const { options, write, stdout } = context;
  const isRead = stdout.width !== null && !options.json;
  return followEvents(context, (event) =>
    write(`${isRead ? renderEvent(event, stdout) : jsonLine(event)}\n`),
  );
}
