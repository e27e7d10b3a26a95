/** A program with `uid` can do nothing, by way of its primary, that its own user may not do. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app } from '../../support/home.js';
import { freeLowPort } from '../../support/ports.js';
import { until } from '../../support/until.js';
import { NOBODY, hostileHome, skip } from './hostile-home.js';

t.test('a hostile program', { skip }, async (t) => {
  const { home, own, victim } = hostileHome(t, ['precious', 'secret']);
  const report = join(own, 'report');
  const LOW_PORT = String(await freeLowPort());
  const given = { OWN: own, VICTIM: victim, REPORT: report, LOW_PORT };
  const variables = Object.entries(given).flatMap((pair) => ['--set-env', pair.join('=')]);
  await home.run(
    ['start', app('attacker.cjs'), '--uid', 'nobody', '-o', join(own, 'app.log'), ...variables],
    { env: { SECRET_OF_ROOT: 'x', SUDO_USER: 'me', LC_ALL: 'C.UTF-8', NODE_ENV: 'production' } },
  );
  const found = await until(
    () => existsSync(report) && JSON.parse(readFileSync(report, 'utf8')),
    'the report',
  );

  t.equal(found.user, NOBODY);
  t.same(found.groups, [NOBODY], 'it has no supplementary groups');
  t.ok(existsSync(join(victim, 'precious')), 'it cannot remove a file of root');
  t.notOk(existsSync(join(victim, 'new.sock')), 'it cannot create a socket where root may');
  t.match(found, { socket: 'EACCES', lowPort: 'EACCES' });
  await home.ok(['stop', 'attacker']);
  t.equal(readFileSync(join(victim, 'secret'), 'utf8'), 'secret', 'it cannot append to a file');

  const { env, primary } = found;
  const account = { HOME: '/nonexistent', USER: 'nobody', LOGNAME: 'nobody' };
  t.match(env, { ...account, NODE_ENV: 'production', LC_ALL: 'C.UTF-8' });
  t.notOk(env.SECRET_OF_ROOT ?? env.SUDO_USER, 'the environment of root is not its own');
  t.ok(primary.includes('USER=nobody'), 'its primary runs as the same user');
  t.notOk(primary.some((entry) => entry.includes(home.root)));
});
