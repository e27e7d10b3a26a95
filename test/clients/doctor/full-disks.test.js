import t from 'tap';
import { describeFull } from '../../../src/clients/doctor/gather.js';

const room = { bsize: 4096, blocks: 16_384, bavail: 8000, files: 100, ffree: 50 };
t.test('what is full', async (t) => {
  for (const [what, stats, expected] of [
    ['room', room, null],
    ['no room', { ...room, bavail: 0 }, '/var/log (0B of 64M free)'],
    ['hardly any', { ...room, bavail: 3 }, '/var/log (12K of 64M free)'],
    ['a small one that is empty', { ...room, blocks: 1, bavail: 1 }, null],
    ['no inode', { ...room, ffree: 0 }, '/var/log (no inode of 100 free)'],
    ['a file system without inodes', { ...room, files: 0, ffree: 0 }, null],
    ['a file system without blocks, such as /proc', { ...room, blocks: 0, bavail: 0 }, null],
  ])
    t.equal(describeFull('/var/log', stats), expected, what);
});
