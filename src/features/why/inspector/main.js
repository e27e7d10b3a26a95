/**
 * Looks into one worker through the inspector of Node: `node src/features/why/inspector/main.js <pid>`. Its primary starts
 * it, as the user of the worker, with a channel for messages.
 */
import { once } from 'node:events';
import { exitAtOnce } from '../../../shared/processes/signal.js';
import { takeStack } from './tasks.js';

/** Without the primary nobody reads it. @param {object} message */
const send = (message, done = () => {}) => void process.send?.(message, undefined, {}, done);
const stack = takeStack(Number(process.argv[2]), async () => {
  const replies = once(process, 'message');
  send({ type: 'open' });
  return (await replies)[0];
});
void stack.then((result) => send({ type: 'result', ...result }, () => exitAtOnce()));
