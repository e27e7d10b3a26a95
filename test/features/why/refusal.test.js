import t from 'tap';
import { refusalOf } from '../../../src/features/why/primary.js';

const blocked = {
  ending: null,
  program: null,
  isResponsive: false,
  isConnected: true,
  ownsSignal: false,
  hasOwnInspector: false,
};

const rows = [
  ['blocked', {}, null],
  ['another program', { program: 'python3' }, /python3/],
  ['a handler of its own', { ownsSignal: true }, /SIGUSR1/],
  ['a handler of its own, but its agent replies', { ownsSignal: true, isResponsive: true }, null],
  ['with --inspect', { hasOwnInspector: true }, /options for the inspector/],
  ['with --inspect, but its agent replies', { hasOwnInspector: true, isResponsive: true }, null],
  ['being stopped by a command', { ending: '', isConnected: false }, /^is being stopped$/],
  [
    'being killed by hang_timeout',
    { ending: 'event loop blocked for 9s in f (a.js:1:2)', isConnected: false },
    /^is being stopped: event loop blocked for 9s in f \(a\.js:1:2\)$/,
  ],
  ['without a channel', { isConnected: false }, /closed the channel/],
];

for (const [name, facts, expected] of rows) {
  t.test(name, async (t) => {
    const refusal = refusalOf({ ...blocked, ...facts });
    if (expected === null) t.equal(refusal, null);
    else t.match(refusal, expected);
  });
}
