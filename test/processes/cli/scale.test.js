/** What `scale` leaves in the settings, and how many workers start. */
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';

t.test('describe tells whether instances came from the file or from scale', async (t) => {
  const { root, ok, killDaemon } = testHome(t, { inProcess: true });
  const port = await freePort();
  const write = (settings) =>
    writeFiles(root, {
      'ecosystem.yml': {
        name: 'api',
        script: app('http-pid.cjs'),
        min_uptime: '100ms',
        env: { PORT: port },
        ...settings,
      },
    });
  const described = async () =>
    /^ {2}instances +(\S+ +\S+)$/m.exec((await ok(['describe', 'api'])).stdout)?.[1].split(/ +/);

  write({ instances: 2 });
  await ok(['start']);
  t.same(await described(), ['2', 'file']);
  await ok(['scale', 'api', '3']);
  t.same(await described(), ['3', 'scaled']);
  await ok(['reload', 'api']);
  t.same(await described(), ['3', 'scaled'], 'also after a reload');
  await killDaemon();
  t.same(await described(), ['3', 'scaled'], 'also by the next daemon');
  t.match((await ok(['apply', '--dry-run'])).stdout, /instances +3 → 2/);
  await ok(['reload', 'ecosystem.yml']);
  t.same(await described(), ['2', 'file']);
  write({ instances: 3, args: ['--new'] });
  await ok(['reload', 'ecosystem.yml']);
  t.same(await described(), ['3', 'file'], 'more, after new workers');
  await ok(['delete', 'api:2']);
  t.same(await described(), ['2', 'scaled']);
});
