/** A message to a worker that could not be sent, for lack of memory for example. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import t from 'tap';
import { channelTo } from '../../../src/primary/worker/channel.js';
import { app } from '../../support/home.js';

t.test('a lost message is noticed, whoever sent it', async (t) => {
  const child = fork(app('holds-timer.cjs'), { execArgv: [] });
  t.teardown(() => child.kill('SIGKILL'));
  const errors = [];
  child.on('error', ({ code }) => errors.push(code));
  const { ENOMEM, EPIPE } = constants.errno;
  let result = 0;
  channelTo(child).handle.writeUtf8String = () => result;
  const lost = [];
  channelTo(child).watch({ lost: (code) => lost.push(code) });
  child.send('sent');
  result = -EPIPE;
  child.send('to a worker that has exited', () => {});
  result = -ENOMEM;
  child.send('with a callback', () => {});
  child.send('without one, as node:cluster does');
  await once(child, 'error');
  t.strictSame(lost, ['ENOMEM', 'ENOMEM'], 'the last two');
  t.strictSame(errors, ['ENOMEM'], 'as before');
});
