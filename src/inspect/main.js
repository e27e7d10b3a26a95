/**
 * Looks into one worker through the inspector of Node: `node src/inspect/main.js <order, as JSON>`. Its
 * primary starts it, as the user of the worker, and both exchange lines of JSON on stdin and stdout. It
 * exits when the primary does.
 */
import { createInterface } from 'node:readline';
import { takeProfile, takeStack } from './tasks.js';

/** @import { Order } from './tasks.js' */

/** @type {Order} */
const order = JSON.parse(process.argv[2]);
const lines = createInterface({ input: process.stdin });
/** @type {(inspector: any) => void} */
let onOpened = () => {};
/** What the primary sends when the inspector is open. @type {Promise<any>} */
const opened = new Promise((resolve) => (onOpened = resolve));
lines.once('line', (line) => onOpened(JSON.parse(line)));
// Without the primary nobody closes the inspector later, and nobody waits for the result.
lines.once('close', () => process.exit(0));

const send = (/** @type {object} */ message) =>
  process.stdout.write(`${JSON.stringify(message)}\n`);
const open = () => {
  send({ type: 'open' });
  return opened;
};
const task = order.kind === 'stack' ? takeStack(order, open) : takeProfile(order, open, send);
void task.then((result) => {
  const message = JSON.stringify({ type: 'result', ...result });
  process.stdout.write(`${message}\n`, () => process.exit(0));
});
