/** What may be in the place of desired.json, or in it. Only a file that does not exist means no apps. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findDesired, readDesiredFile } from '../../../src/shared/files/desired-file.js';

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

t.test('a damaged file is replaced by its copy', async (t) => {
  const [api, web] = ['api', 'web'].map((name) =>
    JSON.stringify({ format: 1, apps: [{ spec: { name } }], nextId: 1 }),
  );
  /** @type {[file: string | null, copy: string | null, name: string | undefined, from: string | null][]} */
  const rows = [
    [api, web, 'api', ''],
    [api, null, 'api', ''],
    ['x', web, 'web', '.copy'],
    ['', web, 'web', '.copy'],
    ['{"format":0,"apps":[]}', web, 'web', '.copy'],
    ['{"format":1,"apps":{}}', web, 'web', '.copy'],
    ['x', 'x', undefined, null],
    ['x', null, undefined, null],
    [null, web, undefined, ''],
  ];
  for (const [text, copy, name, from] of rows) {
    const file = path.join(t.testdir(), 'desired.json');
    if (text !== null) writeFileSync(file, text);
    if (copy !== null) writeFileSync(`${file}.copy`, copy);
    const found = findDesired(file);
    const expected = from === null ? null : `${file}${from}`;
    t.match(found, { from: expected }, `${text} and ${copy}`);
    t.equal(found.apps[0]?.spec.name, name);
  }
  const file = path.join(t.testdir({ 'desired.json': '{"format":2}' }), 'desired.json');
  t.throws(() => findDesired(file), { code: 'E_HOME_READ' });
});
