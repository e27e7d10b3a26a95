import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { execFileSync } from 'node:child_process';
import * as rotation from '../../../src/shared/log-files/rotated-files.js';

const { resolveLinks, listRotated, listUnfinished } = rotation;

t.test('the rotated files of one log, the oldest first', async (t) => {
  const log = path.join(t.testdir(), 'api-out.log');
  const named = '.000010 .000010.gz.tmp .000009.gz .000002 .000002.gz .000003.2026-11-28';
  const others = '.000003.2026-11-28.gz .000004.2026-11.gz .1000000 .1 .bak .000003.txt';
  for (const ending of ['', ...`${named} ${others}`.split(' ')]) {
    writeFileSync(`${log}${ending}`, '');
  }
  writeFileSync(path.join(path.dirname(log), 'xapi-out.log.000001'), '');
  t.same(await listRotated(log), [
    { path: `${log}.000002`, number: 2, isCompressed: false },
    { path: `${log}.000003.2026-11-28`, number: 3, isCompressed: false },
    { path: `${log}.000009.gz`, number: 9, isCompressed: true },
    { path: `${log}.000010`, number: 10, isCompressed: false },
    { path: `${log}.1000000`, number: 1_000_000, isCompressed: false },
  ]);
  t.same(await listUnfinished(log), [`${log}.000010.gz.tmp`]);
});

t.test('those of a symbolic link lie beside the file that it stands for', async (t) => {
  const folder = t.testdir({ disk: { 'api.log': '', 'api.log.000001': '' }, logs: {} });
  const [disk, link] = [path.join(folder, 'disk/api.log'), path.join(folder, 'logs/api.log')];
  symlinkSync('../logs/hop.log', link);
  symlinkSync('../disk/api.log', path.join(folder, 'logs/hop.log'));
  t.equal(await resolveLinks(link), disk);
  t.same(await listRotated(link), [{ path: `${disk}.000001`, number: 1, isCompressed: false }]);
  unlinkSync(disk);
  t.equal(await resolveLinks(link), disk, 'also while it is missing');
  symlinkSync('loop.log', path.join(folder, 'loop.log'));
  t.equal(path.dirname(await resolveLinks(path.join(folder, 'loop.log'))), folder);
});

t.test('without a folder there are none', async (t) => {
  t.same(await listRotated(path.join(t.testdir(), 'not', 'there.log')), []);
  mkdirSync(path.join(t.testdirName, 'empty'));
  t.same(await listRotated(path.join(t.testdirName, 'empty', 'a.log')), []);
});

t.test('a log in the working directory, as another user has it', async (t) => {
  const folder = t.testdir({ 'a.log': '', 'a.log.000001': '', 'a.log.000002.gz': '' });
  const file = new URL('../../../src/shared/log-files/rotated-files.js', import.meta.url).href;
  const code =
    'import(process.argv[1]).then(async ({ listRotated }) => console.log(JSON.stringify(await listRotated("a.log"))))';
  const listed = execFileSync(process.execPath, ['-e', code, file], { cwd: folder });
  t.match(JSON.parse(listed), [
    { path: 'a.log.000001', number: 1, isCompressed: false },
    { path: 'a.log.000002.gz', number: 2, isCompressed: true },
  ]);
});
