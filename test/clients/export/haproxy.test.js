import t from 'tap';
import { haproxy, parseServers } from '../../../src/clients/export/haproxy.js';
import { exported } from '../../../src/clients/export/head.js';
import { specWith } from '../../support/spec.js';

const health = {
  http: '/health?full=1',
  exec: null,
  intervalMs: 10_000,
  timeoutMs: 3000,
  failures: 3,
  startPeriodMs: 0,
};
const shop = specWith({
  health,
  keepAliveTimeoutMs: 65_000,
  name: 'shop',
  env: { PORT: '3000' },
  shutdownDelayMs: 5000,
  drainTimeoutMs: 45_500,
});
const others = [
  specWith({ name: '@team', env: { PORT: '4000' }, scheduling: 'sticky' }),
  specWith({
    name: 'four',
    env: { PORT: '5000' },
    execMode: 'fork',
    instances: 2,
    incrementVar: 'PORT',
  }),
  specWith({
    name: 'other-port',
    env: { PORT: '6000' },
    health: { ...health, http: 'http://127.0.0.1:6001/health' },
  }),
  specWith({ name: 'jobs', autorestart: false }),
  specWith({ name: 'silent' }),
];
const write = (specs, options) => exported(haproxy, { specs, options }, 'ecosystem.yml');

t.test('one backend for each app that serves', async (t) => {
  const servers = parseServers('10.0.0.11,web2,[fd00::3]');
  const { text } = write([shop, ...others], { servers, agentPort: 9600 });
  t.matchSnapshot(text);
  t.equal(write([shop, ...others], { servers, agentPort: 9600 }).text, text);
});

t.test('addresses', async (t) => {
  t.same(parseServers('a, 10.0.0.1,[::1]'), ['a', '10.0.0.1', '[::1]']);
  for (const wrong of ['', 'a,', 'a:1', 'a b', 'a\nserver x', '::1', 'a;b']) {
    t.throws(() => parseServers(wrong), { name: 'RangeError' }, JSON.stringify(wrong));
  }
});
