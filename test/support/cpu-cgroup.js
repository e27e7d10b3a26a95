/** A real cgroup with a CPU limit. */
import { existsSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD_US = 100_000;
/** Where the controller may be: v1, then v2. */
const ROOTS = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup/cpu,cpuacct', '/sys/fs/cgroup'];

/** @returns null: this test may not make one */
export function makeCpuCgroup(t) {
  for (const root of ROOTS) {
    const directory = makeIn(root);
    if (directory === null) continue;
    const write = (name, text) => writeFileSync(join(directory, name), text);
    const isV2 = existsSync(join(directory, 'cpu.max'));
    const remove = () => existsSync(directory) && rmdirSync(directory);
    t.teardown(remove);
    return {
      add: (pid) => write('cgroup.procs', String(pid)),
      limit: (cores) =>
        isV2
          ? write('cpu.max', `${cores * PERIOD_US} ${PERIOD_US}`)
          : write('cpu.cfs_quota_us', String(cores * PERIOD_US)),
      remove,
    };
  }
  return null;
}

function makeIn(root) {
  if (!existsSync(root)) return null;
  try {
    const directory = mkdtempSync(join(root, 'nodecluster-test-'));
    if (['cpu.max', 'cpu.cfs_quota_us'].some((name) => existsSync(join(directory, name)))) {
      return directory;
    }
    rmdirSync(directory);
  } catch {
    // Not allowed.
  }
  return null;
}
