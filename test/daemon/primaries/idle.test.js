import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { whenIdle } from '../../../src/daemon/primaries/lost-command.js';

const link = (state, busy) => Object.assign(new EventEmitter(), { state, snapshot: { busy } });

t.test('a primary that is found again in the middle of a command is not idle', async (t) => {
  const primary = link('connected', 'reload');
  let isOver = false;
  const idle = whenIdle(primary).then(() => (isOver = true));
  // Its first state arrives before it counts as connected.
  primary.state = 'unknown';
  primary.emit('state');
  await setImmediate();
  t.notOk(isOver);
  Object.assign(primary, { state: 'connected', snapshot: { busy: null } }).emit('state');
  await idle;
  t.strictSame(primary.eventNames(), []);
});

t.test('a primary that is lost does nothing any more', async (t) => {
  const primary = link('connected', 'reload');
  const idle = whenIdle(primary);
  primary.state = 'none';
  primary.emit('lost');
  await idle;
  t.strictSame(primary.eventNames(), []);
});
