/**
 * Looks into one worker through the inspector of Node: `node src/features/why/inspector/main.js <order, as JSON>`. Its
 * primary starts it, as the user of the worker, and both exchange lines of JSON on stdin and stdout. It
 * exits when the primary does.
 */
import { createInterface } from 'node:readline';
import { within } from '../../../shared/deadline.js';
import { takeProfile, takeStack } from './tasks.js';

/** @import { Order, Primary } from './tasks.js' */

/** Without the primary, to close the inspector and to say why. */
const LAST_MS = 3000;

/** @type {Order} */
const order = JSON.parse(process.argv[2]);
const lines = createInterface({ input: process.stdin });
/** @type {(inspector: any) => void} */
let onOpened = () => {};
/** What the primary sends when the inspector is open. @type {Promise<any>} */
const opened = new Promise((resolve) => (onOpened = resolve));
lines.once('line', (line) => onOpened(JSON.parse(line)));

const send = (/** @type {object} */ message) =>
  process.stdout.write(`${JSON.stringify(message)}\n`);
/** @type {Primary} */
const primary = {
  open: () => {
    send({ type: 'open' });
    return opened;
  },
  send,
  lost: new Promise((resolve) => lines.once('close', () => resolve())),
};
process.stdout.on('error', () => {}); // without the primary nobody reads it
const task = order.kind === 'stack' ? takeStack(order, primary) : takeProfile(order, primary);
void primary.lost.then(() => within(task, LAST_MS)).then(() => process.exit(0));
void task.then((result) => {
  const message = JSON.stringify({ type: 'result', ...result });
  process.stdout.write(`${message}\n`, () => process.exit(0));
});
