/** The CPU limit, from what Linux shows of the cgroups in containers of several engines. */
import t from 'tap';
import { availableCores, cgroupDirectories } from '../../src/daemon/cgroups.js';
import { followsCores, workerBounds, workerCount } from '../../src/daemon/apps/slots.js';

const ID = '9ec39b91f3d70e1beff50a308f77067065ea6be0d91a3378375056cd4422cf3d';

/** What /proc/self/cgroup and mountinfo say, and the directories with a limit, each with its text. */
const machines = [
  {
    name: 'docker and podman, v2 with a cgroup namespace',
    cgroup: '0::/\n',
    mountinfo: [
      '1189 1053 0:101 / / rw,relatime - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w',
      '1194 1193 0:27 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw,nsdelegate',
    ],
    files: { '/sys/fs/cgroup/cpu.max': '150000 100000\n' },
    cores: 1,
  },
  {
    name: 'podman --cgroupns=host',
    cgroup: `0::/machine.slice/libpod-${ID}.scope/container\n`,
    mountinfo: ['611 610 0:27 / /sys/fs/cgroup ro,relatime - cgroup2 cgroup2 rw,nsdelegate'],
    files: {
      [`/sys/fs/cgroup/machine.slice/libpod-${ID}.scope/container/cpu.max`]: 'max 100000\n',
      [`/sys/fs/cgroup/machine.slice/libpod-${ID}.scope/cpu.max`]: '300000 100000\n',
      '/sys/fs/cgroup/machine.slice/cpu.max': '450000 50000\n',
    },
    cores: 3,
  },
  {
    name: 'systemd, hybrid: version 2 has no cpu.max',
    cgroup: '12:cpu,cpuacct:/system.slice/api.service\n0::/system.slice/api.service\n',
    mountinfo: [
      '30 29 0:27 / /sys/fs/cgroup/unified rw,nosuid shared:5 - cgroup2 cgroup2 rw,nsdelegate',
      '39 29 0:35 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:13 - cgroup cgroup rw,cpu,cpuacct',
    ],
    files: { '/sys/fs/cgroup/cpu,cpuacct/system.slice/cpu.max': '400000 100000' },
    cores: 8,
  },
  {
    name: 'no limit',
    cgroup: '0::/user.slice/user-1000.slice/session-2.scope\n',
    mountinfo: ['30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw'],
    files: { '/sys/fs/cgroup/user.slice/cpu.max': 'max 100000\n' },
    cores: 8,
  },
  { name: 'no /proc: another system', cgroup: '', mountinfo: [], files: {}, cores: 8 },
  { name: 'garbage', cgroup: 'x\n0::\n:::\n', mountinfo: ['', 'a b', ' - '], files: {}, cores: 8 },
];

t.test('cores that the process may use, of 8', async (t) => {
  for (const { name, cgroup, mountinfo, files, cores } of machines) {
    const all = {
      '/proc/self/cgroup': cgroup,
      '/proc/self/mountinfo': `${mountinfo.join('\n')}\n`,
      ...files,
    };
    t.equal(availableCores({ cores: 8, read: (path) => all[path] ?? '' }), cores, name);
  }
});

t.test('the cgroups that a mount shows', async (t) => {
  const directories = (path, root, point = '/sys/fs/cgroup') => {
    const mountinfo = `30 23 0:26 ${root} ${point} rw - cgroup2 cgroup rw`;
    const read = (file) => (file === '/proc/self/cgroup' ? `0::${path}` : mountinfo);
    return cgroupDirectories(read);
  };
  t.same(directories('/a/b', '/'), ['/sys/fs/cgroup/a/b', '/sys/fs/cgroup/a', '/sys/fs/cgroup']);
  t.same(directories('/a/b', '/a'), ['/sys/fs/cgroup/b', '/sys/fs/cgroup']);
  t.same(directories('/a:b', '/', '/my\\040cgroup'), ['/my cgroup/a:b', '/my cgroup']);
  t.same(directories('/ab', '/a'), [], 'another cgroup whose name begins alike');
  t.same(directories('/', '/../other'), [], 'a mount of another namespace');
  t.same(directories('/../other', '/'), [], 'a process outside the namespace');
});

t.test('the text of a limit, of 8 cores', async (t) => {
  const mountinfo = '30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw';
  const none = ['max 100000', '', 'x y', '100000', '100000 0', '-1 100000', '6400000 100000\n'];
  for (const [text, cores] of [['20000 100000\n', 1], ...none.map((each) => [each, 8])]) {
    const all = { '/proc/self/cgroup': '0::/', '/proc/self/mountinfo': mountinfo };
    t.equal(availableCores({ cores: 8, read: (file) => all[file] ?? text }), cores, text);
  }
  t.ok(availableCores() >= 1, 'this machine');
});

t.test('workers for a number of instances, and of an app that scales itself', async (t) => {
  const range = (min, max) => ({ min, max, elu: 0.8, cooldownMs: 1000 });
  for (const [instances, cores, bounds] of [
    [range(2, 6), 4, { min: 2, max: 6 }],
    [range(2, 0), 4, { min: 2, max: 4 }],
    [range(1, -1), 4, { min: 1, max: 3 }],
    [range(2, 0), 1, { min: 2, max: 2 }],
    [range(-3, -1), 2, { min: 1, max: 1 }],
    [3, 8, { min: 3, max: 3 }],
    [0, 8, { min: 8, max: 8 }],
    [-1, 8, { min: 7, max: 7 }],
    [-9, 8, { min: 1, max: 1 }],
  ]) {
    t.same(workerBounds(instances, cores), bounds);
  }
  const found = [0, 1, 3, 9].map((current) => workerCount(range(2, 0), current, 4));
  t.same(found, [2, 2, 3, 4]);
  t.equal(workerCount(3, 5, 8), 3);
  const fixed = [3, range(2, 6)].filter(followsCores);
  t.same([fixed.length, [0, -1, range(2, 0), range(0, 9)].every(followsCores)], [0, true]);
});
