import t from 'tap';
import { effectiveScheduling } from '../../src/lifecycle/effective-scheduling.js';

/** @import { Scheduling } from '../../src/lifecycle/effective-scheduling.js' */

const OLD = 'scheduling is fair, because reuseport needs Node 22.12 or later, and this is';
const NOT_LINUX = 'scheduling is fair, because reuseport needs Linux';

/** @type {[Scheduling, string, string, Scheduling, string | null][]} */
const ROWS = [
  ['round-robin', 'linux', '20.12.0', 'round-robin', null],
  ['shared', 'darwin', '20.12.0', 'shared', null],
  ['fair', 'linux', '20.12.0', 'fair', null],
  ['sticky', 'darwin', '26.0.0', 'sticky', null],
  ['reuseport', 'linux', '20.20.2', 'fair', `${OLD} 20.20.2`],
  ['reuseport', 'linux', '21.7.0', 'fair', `${OLD} 21.7.0`],
  ['reuseport', 'linux', '22.9.0', 'fair', `${OLD} 22.9.0`],
  ['reuseport', 'linux', '22.11.0', 'fair', `${OLD} 22.11.0`],
  ['reuseport', 'linux', '22.12.0', 'reuseport', null],
  ['reuseport', 'linux', '22.20.1', 'reuseport', null],
  ['reuseport', 'linux', '23.0.0', 'fair', `${OLD} 23.0.0`],
  ['reuseport', 'linux', '23.1.0', 'reuseport', null],
  ['reuseport', 'linux', '24.0.0', 'reuseport', null],
  ['reuseport', 'linux', '100.0.0', 'reuseport', null],
  ['reuseport', 'darwin', '24.0.0', 'fair', NOT_LINUX],
  ['reuseport', 'darwin', '20.0.0', 'fair', NOT_LINUX],
];

t.test('reuseport needs Linux and a Node that has it; elsewhere it is fair and says why', (t) => {
  for (const [desired, platform, node, scheduling, note] of ROWS) {
    const name = `${desired} on ${platform} with Node ${node}`;
    const runtime = { platform, node, canSharePort: () => true };
    t.strictSame(effectiveScheduling(desired, runtime), { scheduling, note }, name);
  }
  const refused = { platform: 'linux', node: '24.0.0', canSharePort: () => false };
  const note = 'scheduling is fair, because two sockets could not share a port here';
  t.strictSame(effectiveScheduling('reuseport', refused), { scheduling: 'fair', note });
  t.end();
});
