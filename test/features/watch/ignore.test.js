import t from 'tap';
import { watchFilter, writtenFilter } from '../../../src/features/watch/filter.js';

t.test('watch ignores these files', async (t) => {
  const patterns = ['*.log', 'public/uploads', './data/**', '/app/cache', '../shared/tmp/', '#*#'];
  const ignored = watchFilter('/app', [...patterns, '*.map', '!keep.map'], '/app/.home');
  for (const file of [
    '/app/node_modules/x/index.js',
    '/app/packages/a/node_modules',
    '/app/.git/HEAD',
    '/app/logs/out',
    '/app/deep/x.log',
    '/app/public/uploads/1.png',
    '/app/data/a/b',
    '/app/cache/x',
    '/shared/tmp/x',
    '/shared/node_modules/x',
    '/app/src/#draft#',
    '/app/dist/x.map',
    '/app/.home/daemon.log',
  ]) {
    t.equal(ignored(file), true, file);
  }
  for (const file of [
    '/app',
    '/app/server.js',
    '/app/logs.js',
    '/app/x/public/uploads',
    '/app/data',
    '/app/Logs/x',
    '/app/src/cache',
    '/shared',
    '/shared/x.js',
    '/app/dist/keep.map',
  ]) {
    t.equal(ignored(file), false, file);
  }
});

t.test('watch ignores what programs write, in every slot and rotated', async (t) => {
  const isWritten = writtenFilter(['/app/web.log', '/app/run/pid', '/app/a+b.out']);
  for (const file of [
    '/app/web.log',
    '/app/web-0.log',
    '/app/web-12.log.000017.gz.tmp',
    '/app/web.log.000001',
    '/app/web.log.1',
    '/app/web.log-20270101',
    '/app/run/pid',
    '/app/run/pid-1',
    '/app/run/pid.k3j9x.tmp',
    '/app/a+b.out',
  ]) {
    t.equal(isWritten(file), true, file);
  }
  for (const file of [
    '/app/web.js',
    '/app/web.log.js',
    '/app/webblog',
    '/app/run/pid.js',
    '/app/run/pidfile',
    '/app/x/web.log',
    '/app/aab.out',
  ]) {
    t.equal(isWritten(file), false, file);
  }
});
