import t from 'tap';
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { ecosystemTemplate } from '../../src/config/init.js';
import { attempt } from '../../src/errors/error.js';
import { readDesiredFile } from '../../src/shared/files/desired-file.js';
import * as directories from '../../src/shared/files/directories.js';
import { inspectPath } from '../../src/shared/files/inspect-path.js';
import { ensureHome, isHomePresent, resolveHome } from '../../src/shared/home.js';
import { openToAppend } from '../../src/shared/files/small-file.js';
import { writeFile } from '../../src/shared/files/write-file.js';
import { ecosystemDirectory } from '../config/ecosystem-directory.js';
import { eventOf, within } from '../support/until.js';

const { chmodSync, chownSync, closeSync, existsSync, mkdirSync, mkdtempSync } = fs;
const { readFileSync, statSync, symlinkSync, writeFileSync } = fs;
const { makeDirectory, makeDirectorySync, removeDirectory } = directories;

t.test('what is missing is created, below a link too, but not below a file', async (t) => {
  const dir = t.testdir();
  await makeDirectory(path.join(dir, 'a/b/c'), 0o700);
  await makeDirectory(path.join(dir, 'a/b/c'), 0o700);
  makeDirectorySync(path.join(dir, 'd/e/f'), 0o700);
  for (const name of ['a', 'a/b/c', 'd', 'd/e/f']) {
    t.equal(statSync(path.join(dir, name)).mode & 0o777, 0o700, name);
  }
  mkdirSync(path.join(dir, 'real'));
  symlinkSync(path.join(dir, 'real'), path.join(dir, 'link'));
  await makeDirectory(path.join(dir, 'link/below'));
  t.ok(statSync(path.join(dir, 'real/below')).isDirectory());
  writeFileSync(path.join(dir, 'file'), '');
  await t.rejects(makeDirectory(path.join(dir, 'file/below')), { code: 'ENOTDIR' });
  t.throws(() => makeDirectorySync(path.join(dir, 'file/below'), 0o700), { code: 'ENOTDIR' });
});

const needsProc = process.platform !== 'linux' && 'needs /proc';
t.test('where none can be created, nothing is tried for ever', { skip: needsProc }, async (t) => {
  await t.rejects(makeDirectory('/proc/nodecluster/deep'), { code: 'ENOENT' });
  t.throws(() => makeDirectorySync('/proc/nodecluster/deep', 0o700), { code: 'ENOENT' });
});

const NOBODY = 65534;
const needsRoot = process.getuid?.() === 0 ? false : 'only root can remove what another user has';

/** Swaps a directory and a link to another one, with files of the same names, as fast as it can. */
const SWAP = `
  const fs = require('node:fs');
  fs.mkdirSync('inside');
  for (let count = 0; count < 50; count++) fs.writeFileSync('inside/' + count, '');
  fs.symlinkSync(process.argv[1], 'link');
  process.stdout.write('ready');
  for (;;) {
    try {
      fs.renameSync('inside', 'aside');
      fs.renameSync('link', 'inside');
      fs.renameSync('inside', 'link');
      fs.renameSync('aside', 'inside');
    } catch {
      break;
    }
  }`;

t.test('what it contains, but not what a link in it points to', async (t) => {
  const root = t.testdir({ gone: { below: { file: '' } }, kept: { file: '' } });
  execFileSync('ln', ['-s', path.join(root, 'kept'), path.join(root, 'gone', 'below', 'link')]);
  removeDirectory(path.join(root, 'gone'));
  t.notOk(existsSync(path.join(root, 'gone')));
  t.ok(existsSync(path.join(root, 'kept', 'file')));
});

t.test('a user who swaps directories for links', { skip: needsRoot }, async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'nc-'));
  t.teardown(() => execFileSync('rm', ['-rf', root]));
  const victim = path.join(root, 'victim');
  mkdirSync(victim, { mode: 0o755 });
  const files = Array.from({ length: 50 }, (_, count) => path.join(victim, `${count}`));
  for (const file of files) writeFileSync(file, '');
  for (let round = 0; round < 3; round++) {
    const home = path.join(root, `home-${round}`);
    const own = path.join(home, 'own');
    mkdirSync(own, { recursive: true, mode: 0o700 });
    chownSync(own, NOBODY, NOBODY);
    chmodSync(root, 0o755);
    const options = { uid: NOBODY, gid: NOBODY, cwd: own };
    const child = spawn(process.execPath, ['-e', SWAP, victim], options);
    const exited = eventOf(child, 'exit');
    await within(eventOf(child.stdout, 'data'), 'the first link');
    removeDirectory(home);
    await exited;
    t.notOk(existsSync(home));
  }
  const wrong = files.filter((file) => !existsSync(file));
  t.same(wrong, []);
});

t.test('a pipe in the place of a log is kept beside it; nobody waits for a reader', async (t) => {
  const log = join(t.testdir(), 'daemon.log');
  execFileSync('mkfifo', [log]);
  closeSync(openToAppend(log));
  t.ok(statSync(log).isFile());
  t.ok(statSync(`${log}.aside`).isFIFO());
});

t.test('a file that exists is not written, and stays', async (t) => {
  const file = join(t.testdir({ 'a.yml': 'mine' }), 'a.yml');
  const written = writeFile(file, 'new', { force: false, isPrivate: false });
  await t.rejects(written, { code: 'E_FILE_EXISTS', data: { file } });
  t.equal(readFileSync(file, 'utf8'), 'mine');
});

t.test('a file that appears meanwhile stays; one that cannot be written leaves none', async (t) => {
  const file = join(t.testdir(), 'a.yml');
  const write = (text) => writeFile(file, text, { force: false, isPrivate: true });
  const both = await Promise.allSettled([write('one'), write('two')]);
  const first = both.findIndex(({ status }) => status === 'fulfilled');
  t.match(both[1 - first].reason, { code: 'E_FILE_EXISTS' });
  t.equal(readFileSync(file, 'utf8'), ['one', 'two'][first]);
  t.equal(statSync(file).mode & 0o777, 0o600);
  const other = `${file}.yml`;
  const broken = writeFile(other, Symbol('no text'), { force: false, isPrivate: true });
  await t.rejects(broken, { code: 'E_FILE_UNWRITABLE' });
  t.notOk(existsSync(other));
});

const WITHOUT_DESCRIPTORS = `
  import { openSync } from 'node:fs';
  import { writeFile } from ${JSON.stringify(import.meta.resolve('../../src/shared/files/write-file.js'))};
  try {
    while (true) openSync('/dev/null');
  } catch {
    await writeFile(process.argv[1], 'new', { force: false, isPrivate: false }).catch(({ data }) => {
      process.exitCode = data.reason === 'EMFILE' ? 7 : 1;
    });
  }`;

t.test('a file that exists stays where no file can be opened', async (t) => {
  const file = join(t.testdir({ 'a.yml': 'mine' }), 'a.yml');
  const node = [process.execPath, '--input-type=module', '-e', WITHOUT_DESCRIPTORS, file];
  const child = spawn('sh', ['-c', 'ulimit -n 60; exec "$@"', 'sh', ...node]);
  t.same(await eventOf(child, 'exit'), [7, null]);
  t.equal(readFileSync(file, 'utf8'), 'mine');
});

const isRoot = process.getuid?.() === 0;

t.test('the kind of a path, and why it could not be inspected', async (t) => {
  const { directory } = ecosystemDirectory(t);
  symlinkSync('loop', join(directory, 'loop'));
  symlinkSync('app.js', join(directory, 'link'));
  t.same(inspectPath(directory), { kind: 'directory', fault: null });
  t.same(inspectPath(join(directory, 'link')), { kind: 'file', fault: null });
  t.same(inspectPath('/dev/null'), { kind: null, fault: null });
  t.same(inspectPath(join(directory, 'gone')), { kind: null, fault: null });
  t.same(inspectPath(join(directory, 'app.js/x')), { kind: null, fault: null });
  t.match(inspectPath(join(directory, 'loop')), { kind: null, fault: /^too many symbolic links/ });
  t.same(inspectPath(join(directory, 'x'.repeat(300))), { kind: null, fault: 'name too long' });
});

t.test('a script and a cwd that cannot be inspected, along with other errors', async (t) => {
  const { directory, refusal, resolve } = ecosystemDirectory(t, {
    'x.yml': `apps:
  - {name: a, script: loop/a.js}
  - {name: b, script: app.js, cwd: loop}
  - {name: c, script: app.js/no.js}
  - {name: d, script: app.js, args: {}}`,
    'y.yml': 'script: app.js\nexec_mode: fork\ninterpreter: npm\n',
  });
  symlinkSync('loop', join(directory, 'loop'));
  const { code, exit, text } = await refusal('x.yml');
  t.match({ code, exit }, { code: 'E_CONFIG_INVALID', exit: 3 });
  t.match(text, /x\.yml:2:23 .*got "loop\/a\.js" \(HERE\/loop\/a\.js: too many symbolic links/);
  t.match(text, /x\.yml:3:36 .*got "loop" \(HERE\/loop: too many symbolic links/);
  t.match(text, /x\.yml:4:23 .*\(there is no HERE\/app\.js\/no\.js\)/);
  t.match(text, /x\.yml:5:37 .*args/);
  const PATH = ['loop', 'app.js', 'bin'].map((name) => join(directory, name)).join(':');
  t.match((await resolve('y.yml', { shellEnv: { PATH } })).specs, [{ interpreter: 'npm' }]);
});

t.test('init skips paths that cannot be inspected', async (t) => {
  const { directory } = ecosystemDirectory(t);
  symlinkSync('loop', join(directory, 'loop'));
  const packageJson = { main: 'loop', scripts: { start: 'node loop/server' } };
  t.match(ecosystemTemplate({ packageJson, directory }), /script: "\.\/app\.js"/);
});

t.test('a directory that this account may not enter', { skip: isRoot }, async (t) => {
  const { directory, refusal } = ecosystemDirectory(t, {
    'x.yml': '- {script: shut/a.js}\n- {script: app.js, name: b, cwd: shut}\n',
  });
  const shut = join(directory, 'shut');
  mkdirSync(shut);
  chmodSync(shut, 0o600);
  t.teardown(() => chmodSync(shut, 0o700));
  const { code, text } = await refusal('x.yml');
  t.equal(code, 'E_CONFIG_INVALID');
  t.match(text, /x\.yml:1:12 .*\(HERE\/shut\/a\.js: permission denied\)/);
  t.match(text, /x\.yml:2:34 .*may be entered, got "shut" \(HERE\/shut: permission denied\)/);
});

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

t.test('it comes from the environment, or lies in the home of the user', async (t) => {
  t.equal(resolveHome({ NODECLUSTER_HOME: '/x/y' }), '/x/y');
  t.equal(path.basename(resolveHome({})), '.nodecluster');
  t.ok(path.isAbsolute(resolveHome({ NODECLUSTER_HOME: 'relative' })));
  const [before, gone] = [process.cwd(), t.testdir()];
  process.chdir(gone);
  fs.rmdirSync(gone);
  const answer = attempt(() => resolveHome({ NODECLUSTER_HOME: 'relative' }), 'refused');
  process.chdir(before);
  t.equal(answer, 'refused', 'in a directory that was deleted');
});

t.test('it is made for its owner only, and again is no error', async (t) => {
  const home = path.join(t.testdir(), 'deep', 'home');
  const paths = ensureHome(home);
  ensureHome(home);
  for (const directory of [home, paths.appsDir, paths.primariesDir, paths.logs]) {
    t.equal(statSync(directory).mode & 0o777, 0o700, directory);
  }
  t.equal(paths.logFile('api', 'error'), path.join(home, 'logs', 'api-error.log'));
});

t.test('a directory that is empty is made private', async (t) => {
  const home = path.join(t.testdir(), 'home');
  mkdirSync(home);
  chmodSync(home, 0o775);
  ensureHome(home);
  t.equal(statSync(home).mode & 0o777, 0o700);
});

t.test('what is not safe is refused, not mended', async (t) => {
  const dir = t.testdir();
  const open = path.join(dir, 'open');
  mkdirSync(open);
  writeFileSync(path.join(open, 'something'), '');
  chmodSync(open, 0o755);
  t.throws(() => ensureHome(open), { code: 'E_HOME_OPEN', data: { mode: '0755' } });
  const link = path.join(dir, 'link');
  symlinkSync(open, link);
  t.throws(() => ensureHome(link), { code: 'E_HOME_UNUSABLE' });
  const file = path.join(dir, 'file');
  writeFileSync(file, '');
  t.throws(() => ensureHome(file), { code: 'E_HOME_UNUSABLE' });
  t.throws(() => ensureHome(path.join(file, 'below')), { code: 'E_HOME_UNUSABLE' });
  const nowhere = path.join(dir, 'nowhere');
  symlinkSync(path.join(dir, 'missing'), nowhere);
  const loop = path.join(dir, 'loop');
  symlinkSync(loop, loop);
  for (const [above, reason] of Object.entries({ [nowhere]: 'ENOENT', [loop]: 'ELOOP' })) {
    t.throws(() => ensureHome(path.join(above, 'home')), {
      code: 'E_HOME_UNUSABLE',
      data: { reason },
    });
  }
  const below = path.join(file, 'below');
  for (const present of [link, nowhere, file, below]) t.ok(isHomePresent(present), present);
  t.notOk(isHomePresent(path.join(dir, 'missing')));
});
