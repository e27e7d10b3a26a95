import t from 'tap';
import { describeFull, mountOf, parseMounts } from '../../src/api/full-disks.js';

const mounts = parseMounts(`21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
42 21 0:39 / /var/log rw,relatime - tmpfs tmpfs rw,size=64m
43 21 0:40 / /mnt/my\\040disk rw - xfs /dev/sdb1 rw
`);

t.test('where a file is', async (t) => {
  for (const [file, expected] of [
    ['/var/log/api/out.log', '0:39 /var/log tmpfs'],
    ['/var/log', '0:39 /var/log tmpfs'],
    ['/var/logs/x', '8:1 / ext4'],
    ['/mnt/my disk/x', '0:40 /mnt/my disk xfs'],
  ]) {
    const { device, directory, type } = mountOf(file, mounts);
    t.equal(`${device} ${directory} ${type}`, expected);
  }
});

const disk = { device: '0:39', directory: '/var/log', type: 'tmpfs' };
const room = { bsize: 4096, blocks: 16_384, bavail: 8000, files: 100, ffree: 50 };
t.test('what is full', async (t) => {
  for (const [what, stats, expected] of [
    ['room', room, null],
    ['no room', { ...room, bavail: 0 }, '/var/log (tmpfs, 0B of 64M free)'],
    ['hardly any', { ...room, bavail: 3 }, '/var/log (tmpfs, 12K of 64M free)'],
    ['a small one that is empty', { ...room, blocks: 1, bavail: 1 }, null],
    ['no inode', { ...room, ffree: 0 }, '/var/log (tmpfs, no inode of 100 free)'],
    ['a file system without inodes', { ...room, files: 0, ffree: 0 }, null],
    ['a file system without blocks, such as /proc', { ...room, blocks: 0, bavail: 0 }, null],
    ['not known', null, null],
  ]) {
    t.equal(describeFull(disk, stats), expected, what);
  }
  const mount = mountOf('/Volumes/x', []);
  t.equal(describeFull(mount, { ...room, bavail: 0 }), '/Volumes/x (0B of 64M free)');
});
