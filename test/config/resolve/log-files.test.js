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
