/** A control group of its own (cgroup v1), for processes of one measurement. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../test/support/until.js';

export class ControlGroup {
  /**
   * @param {'pids' | 'memory'} controller
   * @param {string} [suffix] of its name
   */
  constructor(controller, suffix = '') {
    this.parent = path.join('/sys/fs/cgroup', controller);
    this.directory = path.join(this.parent, `nodecluster-bench-${process.pid}${suffix}`);
    mkdirSync(this.directory);
  }

  /** @param {number[]} pids that join it, with the children that they start from now on */
  add(...pids) {
    for (const pid of pids) writeFileSync(path.join(this.directory, 'cgroup.procs'), String(pid));
  }

  /** @param {string} file @param {string} text */
  write(file, text) {
    writeFileSync(path.join(this.directory, file), text);
  }

  /** @param {string} file @returns {string} */
  read(file) {
    return readFileSync(path.join(this.directory, file), 'utf8');
  }

  /** Its processes go back to the group above it. */
  async remove() {
    await until(() => {
      this.read('cgroup.procs').split('\n').filter(Boolean).forEach(leaveTo(this.parent));
      rmdirSync(this.directory);
      return true;
    }, 'the cgroup to be empty');
  }
}

/** @param {string} parent @returns {(pid: string | number) => void} */
export function leaveTo(parent) {
  return (pid) => {
    try {
      writeFileSync(path.join(parent, 'cgroup.procs'), String(pid));
    } catch {
      // It has exited.
    }
  };
}
