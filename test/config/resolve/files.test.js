import { join } from 'node:path';
import t from 'tap';
import { ecosystemDirectory } from '../ecosystem-directory.js';

t.test(
  'log files are relative to cwd, their directories may be missing; disable_logs',
  async (t) => {
    const { resolveText, directory } = ecosystemDirectory(t);
    for (const [settings, files] of [
      [
        'cwd: bin\nout: logs/deep/o.log\nlog: /dev/null',
        {
          outFile: join(directory, 'bin', 'logs', 'deep', 'o.log'),
          errorFile: null,
          logFile: '/dev/null',
        },
      ],
      [
        'disable_logs: true\nout_file: o.log',
        { outFile: '/dev/null', errorFile: '/dev/null', logFile: null },
      ],
    ])
      t.match((await resolveText(`script: app.js\n${settings}\n`)).specs, [files]);
  },
);

t.test('a path that cannot be a log file is rejected with its position', async (t) => {
  const { text } = await ecosystemDirectory(t).refusalOf(
    'script: app.js\nout_file: bin\nerror_file: app.js/e.log\nlog_file: logs/\n',
  );
  t.match(text, /x\.yml:2:11 out_file: expected a file that can be written.*bin is a directory/);
  t.match(text, /x\.yml:3:13 .*app\.js is not a directory/);
  t.match(text, /x\.yml:4:11 .*ends with a slash/);
});

t.test('a pid file must not replace another file', async (t) => {
  const { resolveText, refusalOf, directory } = ecosystemDirectory(t, {
    'app.js': 'serve();\n',
    'old.pid': '4711\n',
  });
  const withPid = (file) => `script: app.js\npid_file: ${file}\n`;
  for (const file of ['run/app.pid', 'old.pid'])
    t.match((await resolveText(withPid(file))).specs, [{ pidFile: join(directory, file) }]);
  for (const [file, fault] of [
    ['app.js', /x\.yml:2:11 pid_file: .*app\.js contains something else/],
    ['/dev/null', 'x.yml:2:11 pid_file'],
    ['.', 'x.yml:2:11 pid_file'],
  ])
    t.match((await refusalOf(withPid(file))).text, fault, file);
});
