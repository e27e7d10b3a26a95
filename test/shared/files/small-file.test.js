/** What may be in the place of desired.json: only a file that does not exist means no apps. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readDesiredFile } from '../../../src/shared/files/small-file.js';

const FOUND = {
  'a link to itself': (file) => symlinkSync(path.basename(file), file),
  'a link to nothing': (file) => symlinkSync('nothing', file),
  'a pipe': (file) => execFileSync('mkfifo', [file]),
  'a directory': (file) => mkdirSync(file),
  'a huge file': (file) => writeFileSync(file, '['.repeat(17 * 1024 * 1024)),
};

t.test('everything but a readable file is an error with its path', async (t) => {
  for (const [name, make] of Object.entries(FOUND)) {
    const file = path.join(t.testdir(), 'desired.json');
    make(file);
    t.throws(() => readDesiredFile(file), { code: 'E_HOME_READ', data: { file } }, name);
  }
  const file = path.join(t.testdir({ 'desired.json': '{}' }), 'desired.json');
  t.equal(readDesiredFile(file), '{}');
  t.equal(readDesiredFile(`${file}.other`), null);
});
