import t from 'tap';
import { untilExited } from '../../../src/daemon/apps/dependencies.js';

const LIMIT_MS = 20;
const appWith = (state, more = {}) => ({
  stopped: false,
  desiredSlots: [0],
  link: { state: 'connected', snapshot: { slots: [{ slot: 0, pid: 7, ...state }] } },
  ...more,
});

for (const [name, app, expected] of [
  ['exits never', appWith({ status: 'online' }), { verdict: 'wait' }],
  ['never becomes ready', appWith({ status: 'starting' }), { verdict: 'wait' }],
  ['has no primary', appWith({}, { link: { state: 'none' } }), { verdict: 'wait' }],
  ['has exited', appWith({ status: 'exited', pid: null }), { verdict: 'exited' }],
  ['has been stopped', appWith({}, { stopped: true }), { verdict: 'failed' }],
  ['has been deleted', undefined, { verdict: 'failed' }],
]) {
  t.test(`waits at most as long as it may for an app that ${name}`, async (t) => {
    t.match(await untilExited(() => app, LIMIT_MS), expected);
  });
}
