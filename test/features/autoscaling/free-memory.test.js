/** How much memory is left, from what Linux shows of the cgroups. */
import t from 'tap';
import { freeMemory } from '../../../src/features/autoscaling/free-memory.js';

const FREE = 8000;
const V2 = {
  '/proc/self/cgroup': '0::/a/b\n',
  '/proc/self/mountinfo': '30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n',
};

for (const { name, files, bytes } of [
  { name: 'another system', files: {}, bytes: FREE },
  {
    name: 'v2 without a limit',
    files: { ...V2, '/sys/fs/cgroup/a/b/memory.max': 'max\n' },
    bytes: FREE,
  },
  {
    name: 'v2: the cache of files that nobody reads is free',
    files: {
      ...V2,
      '/sys/fs/cgroup/a/b/memory.max': '5000\n',
      '/sys/fs/cgroup/a/b/memory.current': '3000\n',
      '/sys/fs/cgroup/a/b/memory.stat': 'anon 2000\nactive_file 100\ninactive_file 700\n',
    },
    bytes: 2700,
  },
  {
    name: 'v2: an ancestor has less left',
    files: {
      ...V2,
      '/sys/fs/cgroup/a/b/memory.max': '5000\n',
      '/sys/fs/cgroup/a/b/memory.current': '3000\n',
      '/sys/fs/cgroup/a/memory.max': '10000\n',
      '/sys/fs/cgroup/a/memory.current': '9500\n',
    },
    bytes: 500,
  },
  {
    name: 'v2: the machine has less left',
    files: {
      ...V2,
      '/sys/fs/cgroup/a/b/memory.max': '50000\n',
      '/sys/fs/cgroup/a/b/memory.current': '3000\n',
    },
    bytes: FREE,
  },
  {
    name: 'v1 is not read',
    files: {
      '/proc/self/cgroup': '3:memory:/docker/9e\n',
      '/proc/self/mountinfo':
        '741 732 0:32 /docker/9e /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n',
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': '5000\n',
    },
    bytes: FREE,
  },
]) {
  t.equal(freeMemory({ free: FREE, read: (path) => files[path] ?? '' }), bytes, name);
}

t.ok(freeMemory() > 0, 'this machine');
