/**
 * A memory limit (cgroup v1) around the daemon, a primary and its workers: what they have, and too
 * little for one more process. Beyond it the kernel kills one of them.
 */
import { isRunning } from '../../test/support/processes.js';
import { until } from '../../test/support/until.js';
import { ControlGroup, leaveTo } from './control-group.js';

/** @import { Victim } from './faults.js' */

/** For what a command needs in the daemon; a Node process needs more. */
const SPARE_BYTES = 4 * 1024 * 1024;
/** Less than any process needs for the next thing that it does. */
const TOO_LITTLE_BYTES = 64 * 1024;

/** @type {ControlGroup} */
let group;

/** Memory is charged to the group in which it is allocated, so the apps must start in it. */
export function enterMemoryGroup() {
  group = new ControlGroup('memory');
  group.add(process.pid);
}

/** @param {Victim} victim */
export function limitMemory({ others }) {
  const leave = leaveTo(group.parent);
  [process.pid, ...others].forEach(leave);
  const used = Number(group.read('memory.usage_in_bytes')) - cachedBytes(group);
  group.write('memory.limit_in_bytes', String(used + SPARE_BYTES));
  return async () => {
    group.write('memory.limit_in_bytes', '-1');
    await group.remove();
  };
}

/** @param {ControlGroup} group @returns {number} what the kernel can take back */
function cachedBytes(group) {
  return Number(/^total_cache (\d+)$/m.exec(group.read('memory.stat'))?.[1]);
}

/** @param {number} pid of a process that gets no more memory, until the kernel kills it */
export async function killForMemory(pid) {
  const own = new ControlGroup('memory', '-victim');
  own.write('memory.limit_in_bytes', String(TOO_LITTLE_BYTES));
  own.add(pid);
  await until(() => !isRunning(pid), 'the kernel to kill it');
  if (!/^oom_kill [1-9]/m.test(own.read('memory.oom_control'))) {
    throw new Error(`${pid} was not killed for memory`);
  }
  await own.remove();
}
