import t from 'tap';
import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';

import { tmpdir } from 'node:os';
import path from 'node:path';
import { ReloadCauses, watchDelay } from '../../src/features/watch/decide.js';
import { watch } from '../../src/features/watch/daemon.js';
import { watchFilter, writtenFilter } from '../../src/features/watch/filter.js';
import { WatchedTree } from '../../src/features/watch/tree.js';
import { replaceFs } from '../support/replaced-fs.js';
import { until } from '../support/until.js';

t.test('constant changes do not delay a reload forever', async (t) => {
  t.equal(watchDelay(200, 0), 200);
  t.equal(watchDelay(200, 1900), 100);
  t.equal(watchDelay(200, 5000), 0);
});

t.test('daemon.log has the name that the app has now', async (t) => {
  const cwd = t.testdir();
  const seen = [];
  const of = ({ app }) => ({ info: (event) => seen.push([app, event]) });
  const { sync, ending } = watch({ log: { of }, home: cwd, apps: [] });
  t.teardown(ending);
  const app = { name: 'api', spec: { watch: true, ignoreWatch: [], watchDelayMs: 1, cwd } };
  sync(app);
  app.name = 'web';
  await until(() => seen.length > 0, 'it to watch');
  t.same(seen, [['web', 'watch.started']]);
});

t.test('only a file that causes reload after reload waits, longer and longer', async (t) => {
  const causes = new ReloadCauses();
  const pauses = [];
  let nowMs = 0;
  for (let count = 0; count < 12; count++) {
    nowMs += causes.waitMs('db.json', nowMs) + 500;
    causes.note('db.json', nowMs);
    pauses.push(causes.waitMs('db.json', nowMs) / 1000);
  }
  t.same(pauses, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
  t.same(causes.latest(nowMs), { file: 'db.json', times: 12, pauseMs: 60_000 });
  t.equal(causes.waitMs('a.js', nowMs), 0);
  causes.note('a.js', nowMs);
  t.equal(causes.latest(nowMs), null);
  causes.note('db.json', nowMs + 60_000);
  t.equal(causes.latest(nowMs + 179_999)?.times, 13);
  t.equal(causes.latest(nowMs + 180_000), null);
  causes.note('a.js', nowMs + 180_000);
  causes.note('db.json', nowMs + 180_000);
  t.equal(causes.waitMs('db.json', nowMs + 180_000), 0, 'it begins again');
});

t.test('a file that is saved now and then never waits', async (t) => {
  const causes = new ReloadCauses();
  for (let nowMs = 0; nowMs < 600_000; nowMs += 31_000) {
    causes.note('a.js', nowMs);
    t.equal(causes.waitMs('a.js', nowMs), 0);
  }
});

/** Files by whether they are ignored, apart by blanks. */
const sorted = (t, isIgnored, files) => {
  for (const [expected, paths] of Object.entries(files))
    for (const file of paths.trim().split(/\s+/))
      t.equal(isIgnored(file), expected === 'yes', file);
};

t.test('watch ignores these files', async (t) => {
  const patterns = ['*.log', 'public/uploads', './data/**', '/app/cache', '../shared/tmp/', '#*#'];
  sorted(t, watchFilter('/app', [...patterns, '*.map', '!keep.map'], '/app/.home'), {
    yes: `/app/node_modules/x/index.js /app/packages/a/node_modules /app/.git/HEAD /app/logs/out
      /app/deep/x.log /app/public/uploads/1.png /app/data/a/b /app/cache/x /shared/tmp/x
      /shared/node_modules/x /app/src/#draft# /app/dist/x.map /app/.home/daemon.log`,
    no: `/app /app/server.js /app/logs.js /app/x/public/uploads /app/data /app/Logs/x /app/src/cache
      /shared /shared/x.js /app/dist/keep.map`,
  });
});

t.test('watch ignores what programs write, in every slot and rotated', async (t) => {
  sorted(t, writtenFilter(['/app/web.log', '/app/run/pid', '/app/a+b.out']), {
    yes: `/app/web.log /app/web-0.log /app/web-12.log.000017.gz.tmp /app/web.log.000001
      /app/web.log.1 /app/web.log-20270101 /app/run/pid /app/run/pid-1 /app/run/pid.k3j9x.tmp
      /app/a+b.out`,
    no: `/app/web.js /app/web.log.js /app/webblog /app/run/pid.js /app/run/pidfile /app/x/web.log
      /app/aab.out`,
  });
});

async function watchedTree(t, files, { limits, at = '.' } = {}) {
  const root = realpathSync(t.testdir());
  const write = (file) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), '');
  };
  for (const file of files) write(file);
  const changed = new Set();
  const troubles = [];
  const named = (shown) => path.relative(root, shown);
  const tree = new WatchedTree({
    ignores: (shown) => shown.includes('node_modules'),
    onChange: (shown) => changed.add(named(shown)),
    onTrouble: (trouble, shown) => troubles.push([trouble, shown && named(shown)]),
    limits,
  });
  t.teardown(() => tree.close());
  const begin = () => tree.add(path.resolve(root, at));
  const seen = (file) => until(() => changed.delete(file), `${file} to be seen`);
  return { root, write, tree, troubles, changed, seen, begin };
}

t.test('at every depth, also in directories that come, move and come again', async (t) => {
  const files = ['a.js', 'src/deep/b.js', 'node_modules/x/index.js'];
  const { root, write, tree, seen, begin, changed } = await watchedTree(t, files);
  await begin();
  t.equal(tree.size, 3);
  write('a.js');
  await seen('a.js');
  write('src/deep/b.js');
  await seen('src/deep/b.js');
  write('later/deep/c.js');
  await seen('later');
  await until(() => tree.size === 5, 'the new directories to be watched');
  renameSync(path.join(root, 'later'), path.join(root, 'moved'));
  await seen('moved');
  const isSeen = () => (write('moved/deep/c.js'), changed.has('moved/deep/c.js'));
  await until(isSeen, 'it in its new place');
  rmSync(path.join(root, 'moved'), { recursive: true });
  await until(() => tree.size === 3, 'what is gone to be forgotten');
  write('moved/deep/c.js');
  await until(() => tree.size === 5, 'it to be watched again');
  write('node_modules/x/index.js');
  write('moved/deep/c.js');
  await seen('moved/deep/c.js');
  t.notOk([...changed].some((file) => file.includes('node_modules')));
});

t.test('a directory may contain one of its own name', async (t) => {
  const { write, tree, seen, begin } = await watchedTree(t, ['same/a.js']);
  await begin();
  write('same/same/b.js');
  await until(() => tree.size === 3, 'it to be watched');
  write('same/same/b.js');
  await seen('same/same/b.js');
});

t.test('links are followed once, and never out to what contains the directory', async (t) => {
  const files = ['app/src/a.js', 'else/b.js', 'c.js'];
  const { root, write, tree, seen, begin } = await watchedTree(t, files, { at: 'app' });
  const links = {
    ...{ loop: '.', up: '..', system: '/', proc: '/proc', again: 'src', dead: 'nowhere' },
    ...{ other: '../else', one: '../c.js' },
  };
  for (const [name, to] of Object.entries(links)) symlinkSync(to, path.join(root, 'app', name));
  symlinkSync('..', path.join(root, 'else/back'));
  await begin();
  // app, src, else, c.js.
  t.equal(tree.size, 4);
  write('else/b.js');
  await seen('app/other/b.js');
  write('c.js');
  await seen('app/one');
});

t.test('a file that editors replace stays watched; a missing one is waited for', async (t) => {
  const scene = await watchedTree(t, ['new.js'], { at: 'a.js' });
  const { root, write, seen, begin, troubles, changed } = scene;
  await begin();
  t.same(troubles, [['missing', 'a.js']]);
  write('a.js');
  await seen('a.js');
  renameSync(path.join(root, 'new.js'), path.join(root, 'a.js'));
  await seen('a.js');
  changed.clear();
  await until(() => (write('a.js'), changed.has('a.js')), 'a change of the new one');
  t.same(troubles.at(-1), ['missing', null]);
});

t.test('limits are told, and what is near is watched first', async (t) => {
  const files = ['deep/1/x.js', 'deep/2/x.js', 'deep/3/x.js', 'src/a.js'];
  const limits = { directories: 4, entries: 100 };
  const { tree, troubles, write, seen, begin } = await watchedTree(t, files, { limits });
  await begin();
  t.equal(tree.size, 4);
  t.match(troubles[0], ['limit', /^deep\/\d$/]);
  write('src/a.js');
  await seen('src/a.js');
});

t.test('what the system allows no watch for is told, and what is watched stays so', async (t) => {
  const { write, tree, seen, begin, troubles } = await watchedTree(t, ['a.js', 'src/b.js']);
  replaceFs(t, 'watch', (watch) => (directory, ...more) => {
    if (tree.size === 0) return watch(directory, ...more);
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  await begin();
  t.same(troubles, [['inotify', 'src']]);
  write('a.js');
  await seen('a.js');
});

t.test('what holds the system is not watched', async (t) => {
  for (const place of ['/', '/proc', '/sys/kernel', '/dev']) {
    const { tree, troubles, begin } = await watchedTree(t, [], { at: place });
    await begin();
    t.match([tree.size, troubles[0]?.[0]], [0, 'system']);
  }
});

const otherDisk = existsSync('/dev/shm') && statSync('/dev/shm').dev !== statSync(tmpdir()).dev;

t.test('another file system is not watched below a directory', { skip: !otherDisk }, async (t) => {
  const { root, tree, troubles, begin } = await watchedTree(t, ['src/a.js']);
  const other = mkdtempSync('/dev/shm/nc-');
  t.teardown(() => rmSync(other, { recursive: true }));
  symlinkSync(other, path.join(root, 'other'));
  await begin();
  t.equal(tree.size, 2);
  t.same(troubles, [['device', 'other']]);
  await tree.add(other);
  t.equal(tree.size, 3);
});

t.test('the swap of a mounted secret in Kubernetes is seen', async (t) => {
  for (const at of ['.', 'db']) {
    const { root, tree, write, seen, begin } = await watchedTree(t, ['..1/db'], { at });
    const [data, next] = ['..data', '..data_tmp'].map((name) => path.join(root, name));
    symlinkSync('..1', data);
    symlinkSync('..data/db', path.join(root, 'db'));
    await begin();
    for (const version of [2, 3]) {
      write(`..${version}/db`);
      symlinkSync(`..${version}`, next);
      renameSync(next, data);
      rmSync(path.join(root, `..${version - 1}`), { recursive: true });
      await seen(at === '.' ? '..data' : 'db');
      await until(() => tree.size === (at === '.' ? 2 : 1), 'the new one to be watched');
    }
    tree.close();
  }
});
