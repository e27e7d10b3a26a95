/**
 * Looks into one worker through the inspector of Node: `node src/features/why/inspector/main.js <order, as JSON>`. Its
 * primary starts it, as the user of the worker, with a channel for messages. It exits when the primary does.
 */
import { once } from 'node:events';
import { within } from '../../../shared/deadline.js';
import { exitAtOnce } from '../../../shared/processes/signal.js';
import { takeProfile, takeStack } from './tasks.js';

/** @import { Order, Primary } from './tasks.js' */

/** Without the primary, to read a heap to its end, or to close the inspector and to say why. */
const LAST_MS = 60_000;

/** @type {Order} */
const order = JSON.parse(process.argv[2]);
/** Without the primary nobody reads it. @param {object} message */
const send = (message, done = () => {}) => void process.send?.(message, undefined, {}, done);
/** @type {Primary} */
const primary = {
  open: async () => {
    const replies = once(process, 'message');
    send({ type: 'open' });
    return (await replies)[0];
  },
  send,
  lost: once(process, 'disconnect').then(() => {}),
};
const task = order.kind === 'stack' ? takeStack(order, primary) : takeProfile(order, primary);
void primary.lost.then(() => within(task, LAST_MS)).then(() => exitAtOnce());
void task.then((result) => send({ type: 'result', ...result }, () => exitAtOnce()));
