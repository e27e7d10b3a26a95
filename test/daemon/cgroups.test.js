/** The CPU limit, from what Linux shows of the cgroups in containers of several engines. */
import t from 'tap';
import { availableCores, cgroupDirectories } from '../../src/daemon/cgroups.js';
import { followsCores, workerBounds, workerCount } from '../../src/daemon/apps/slots.js';

const ID = '9ec39b91f3d70e1beff50a308f77067065ea6be0d91a3378375056cd4422cf3d';

/** What /proc/self/cgroup says, and the directories with a limit, each with its text. */
const machines = [
  {
    name: 'docker and podman, v2 with a cgroup namespace',
    cgroup: '0::/\n',
    files: { '/sys/fs/cgroup/cpu.max': '150000 100000\n' },
    cores: 1,
  },
  {
    name: 'podman --cgroupns=host',
    cgroup: `0::/machine.slice/libpod-${ID}.scope/container\n`,
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
    files: { '/sys/fs/cgroup/cpu,cpuacct/system.slice/cpu.max': '400000 100000' },
    cores: 8,
  },
  {
    name: 'no limit',
    cgroup: '0::/user.slice/user-1000.slice/session-2.scope\n',
    files: { '/sys/fs/cgroup/user.slice/cpu.max': 'max 100000\n' },
    cores: 8,
  },
  { name: 'no /proc: another system', cgroup: '', files: {}, cores: 8 },
  { name: 'garbage', cgroup: 'x\n0::\n:::\n', files: {}, cores: 8 },
];

t.test('cores that the process may use, of 8', async (t) => {
  for (const { name, cgroup, files, cores } of machines) {
    const all = { '/proc/self/cgroup': cgroup, ...files };
    t.equal(availableCores({ cores: 8, read: (path) => all[path] ?? '' }), cores, name);
  }
});

t.test('the cgroup of this process and those above it', async (t) => {
  const directories = (path) => cgroupDirectories(() => `0::${path}`);
  t.same(directories('/a:b/c'), ['/sys/fs/cgroup/a:b/c', '/sys/fs/cgroup/a:b', '/sys/fs/cgroup']);
  t.same(directories('/'), ['/sys/fs/cgroup']);
  t.same(directories('/../other'), [], 'a process outside the namespace');
});

t.test('the text of a limit, of 8 cores', async (t) => {
  const none = ['max 100000', '', 'x y', '100000', '100000 0', '-1 100000', '6400000 100000\n'];
  for (const [text, cores] of [['20000 100000\n', 1], ...none.map((each) => [each, 8])]) {
    const read = (file) => (file === '/proc/self/cgroup' ? '0::/' : text);
    t.equal(availableCores({ cores: 8, read }), cores, text);
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
