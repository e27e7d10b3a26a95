import { join } from 'node:path';
import t from 'tap';
import { ecosystemDirectory } from '../ecosystem-directory.js';

t.test('log files are relative to cwd, and their directories may be missing', async (t) => {
  const { resolve, directory } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\ncwd: bin\nout: logs/deep/o.log\nlog: /dev/null\n',
  });
  const { specs } = await resolve('x.yml');
  t.match(specs[0], {
    outFile: join(directory, 'bin', 'logs', 'deep', 'o.log'),
    errorFile: null,
    logFile: '/dev/null',
  });
});

t.test('a path that cannot be a log file is rejected with its position', async (t) => {
  const { refusal } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\nout_file: bin\nerror_file: app.js/e.log\nlog_file: logs/\n',
  });
  const { text } = await refusal('x.yml');
  t.match(text, /x\.yml:2:11 out_file: expected a file that can be written.*bin is a directory/);
  t.match(text, /x\.yml:3:13 .*app\.js is not a directory/);
  t.match(text, /x\.yml:4:11 .*ends with a slash/);
});

t.test('disable_logs', async (t) => {
  const { resolve } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\ndisable_logs: true\nout_file: o.log\n',
  });
  const none = { outFile: '/dev/null', errorFile: '/dev/null', logFile: null };
  t.match((await resolve('x.yml')).specs, [none]);
});

t.test('a pid file must not replace another file', async (t) => {
  const { resolve, refusal, write, directory } = ecosystemDirectory(t, {
    'x.yml': 'script: app.js\npid: run/app.pid\n',
    'y.yml': 'script: app.js\npid_file: app.js\n',
    'app.js': 'serve();\n',
    'old.pid': '4711\n',
  });
  t.match((await resolve('x.yml')).specs, [{ pidFile: join(directory, 'run', 'app.pid') }]);
  t.match((await refusal('y.yml')).text, /y\.yml:2:11 pid_file: .*app\.js contains something else/);
  for (const [file, isTaken] of [
    ['old.pid', true],
    ['/dev/null', false],
    ['.', false],
  ]) {
    write('z.yml', `script: app.js\npid_file: ${file}\n`);
    if (isTaken) t.ok((await resolve('z.yml')).specs[0].pidFile, file);
    else t.match((await refusal('z.yml')).text, 'z.yml:2:11 pid_file', file);
  }
});
