import t from 'tap';
import { watchFilter } from '../../../src/features/watch/daemon.js';

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
