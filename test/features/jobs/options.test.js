import t from 'tap';
import { ecosystemDirectory } from '../../config/ecosystem-directory.js';

t.test('a job', async (t) => {
  const { resolve, write } = ecosystemDirectory(t, { 'report.js': '', 'web.js': '' });
  const specOf = async (settings) => {
    write('job.yml', `apps:\n  - script: report.js\n    schedule: '*/5 * * * *'\n${settings}`);
    return (await resolve('job.yml')).specs[0];
  };
  t.match(await specOf('    timezone: Europe/Berlin\n'), {
    schedule: '*/5 * * * *',
    timezone: 'Europe/Berlin',
    overlap: 'skip',
    execMode: 'fork',
    interpreter: 'node',
    autorestart: false,
    instances: 1,
  });
  t.match(await specOf('    exec_mode: fork\n    autorestart: false\n    overlap: queue\n'), {
    overlap: 'queue',
  });
  for (const [settings, message] of [
    ['    instances: 2\n', /must be 1 with schedule/],
    ['    instances: {max: 2}\n', /must be 1 with schedule/],
    ['    exec_mode: cluster\n', /must be fork with schedule/],
    ['    autorestart: true\n', /must be false with schedule/],
    ["    cron_restart: '0 4 * * *'\n", /is not for an app with schedule/],
    ['    max_memory_restart: 300M\n', /is not for an app with schedule/],
    ['    health: /health\n', /is not for an app with schedule/],
    ['    timezone: Mars/Olympus\n', /expected a time zone such as Europe\/Berlin or UTC/],
    ['    overlap: both\n', /expected skip, queue or replace/],
    [
      '  - script: web.js\n    depends_on: report\n',
      /report runs at its own times, so no app can wait for it/,
    ],
  ]) {
    await t.rejects(specOf(settings), { message }, settings);
  }
  for (const pattern of ['0 0 30 2 *', '0 0 31 4,6,9,11 *']) {
    write('never.yml', `apps:\n  - script: report.js\n    schedule: '${pattern}'\n`);
    const message = /never\.yml:3.*schedule.*no date matches it/s;
    await t.rejects(resolve('never.yml'), { message }, pattern);
    write('zoned.yml', `script: web.js\nschedule: '${pattern}'\ntimezone: UTC\n`);
    await t.rejects(resolve('zoned.yml'), { message: /^(?!.*timezone)/s }, 'one error');
  }
  write('none.yml', 'script: web.js\ntimezone: UTC\n');
  await t.rejects(resolve('none.yml'), { message: /timezone.*has no meaning without schedule/ });
  write('cron.yml', `script: web.js\ntimezone: UTC\ncron_restart: '@daily'\n`);
  t.match((await resolve('cron.yml')).specs[0], { timezone: 'UTC', cronRestart: '@daily' });
});
