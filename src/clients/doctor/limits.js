/** How much is used of what the system limits: descriptors, processes and threads. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { groupsOf } from '../../shared/cgroups.js';
import { listDirectory, readText } from '../../shared/files/inspect-path.js';

/**
 * @import { ReadText } from '../../shared/cgroups.js'
 *
 * @typedef {object} Limit
 * @property {'descriptors' | 'user' | 'group' | 'pid_max' | 'threads-max'} of user: all processes of this user; group:
 *   of systemd or a container; the last two: all of the machine
 * @property {number | null} used null: not known
 * @property {number | null} max null: not known, or not limited
 * @property {Unit | null} unit of systemd that has this limit
 *
 * @typedef {{name: string, isOfUser: boolean}} Unit isOfUser: of the systemd of a user
 */

/**
 * @param {number | null} daemon its pid; what it may not, its apps may not either
 * @param {number} uid
 * @param {ReadText} [read]
 * @returns {Limit[]}
 */
export function limitsOf(daemon, uid, read = readText) {
  const groups = groupsOf('pids', read, daemon ?? 'self').map(({ directory }) => directory);
  const [own = null] = groups.map(unitOf);
  const unit = own?.name.endsWith('.service') ? own : null;
  const numberIn = (/** @type {string} */ file) => numberOf(read(file));
  const tasks = numberOf(read('/proc/loadavg').split(' ')[3]?.split('/')[1]);
  const limits = read(`/proc/${daemon ?? 'self'}/limits`);
  const processes = limitIn(limits, 'Max processes', 'max_user_processes').soft;
  const files = limitIn(limits, 'Max open files', 'open_files');
  return [
    {
      of: 'descriptors',
      used: daemon && attempt(() => readdirSync(`/proc/${daemon}/fd`).length, null),
      // Node raises its own soft limit to the hard one when it starts.
      max: daemon ? files.soft : files.hard,
      unit,
    },
    // Root is exempt from it.
    { of: 'user', used: processes && tasksOf(uid, read), max: uid === 0 ? null : processes, unit },
    ...groups.map((directory) => ({
      of: /** @type {const} */ ('group'),
      used: numberIn(path.join(directory, 'pids.current')),
      max: numberIn(path.join(directory, 'pids.max')),
      unit: unitOf(directory),
    })),
    { of: 'pid_max', used: tasks, max: numberIn('/proc/sys/kernel/pid_max'), unit: null },
    { of: 'threads-max', used: tasks, max: numberIn('/proc/sys/kernel/threads-max'), unit: null },
  ];
}

/**
 * @param {string} text of /proc/<pid>/limits; empty where there is no /proc: then of this process
 * @param {string} name there
 * @param {string} inReport its name in a report of Node
 */
function limitIn(text, name, inReport) {
  const row = new RegExp(`^${name} +(?<soft>\\S+) +(?<hard>\\S+)`, 'm').exec(text)?.groups;
  const report = /** @type {any} */ (text ? null : attempt(() => process.report.getReport(), null));
  const { soft, hard } = row ?? report?.userLimits?.[inReport] ?? {};
  return { soft: numberOf(String(soft)), hard: numberOf(String(hard)) };
}

/** @param {number} uid @param {ReadText} read @returns {number | null} its threads on Linux, where they count, elsewhere its processes */
function tasksOf(uid, read) {
  if (process.platform !== 'linux') {
    const ps = () =>
      execFileSync('/bin/ps', ['-o', 'pid=', '-U', String(uid)], { encoding: 'utf8' });
    return attempt(() => ps().trim().split('\n').length, null);
  }
  const counts = listDirectory('/proc').map((name) => {
    const status = /^\d+$/.test(name) ? read(`/proc/${name}/status`) : '';
    const isOwn = /^Uid:\s+(\d+)/m.exec(status)?.[1] === String(uid);
    return isOwn ? Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]) : 0;
  });
  return counts.reduce((sum, each) => sum + each, 0);
}

/** @param {string} directory of a cgroup @returns {Unit | null} */
function unitOf(directory) {
  const { dir, base: name } = path.parse(directory);
  const isUnit = /\.(service|slice|scope)$/.test(name);
  return isUnit ? { name, isOfUser: /\/user@\d+\.service(\/|$)/.test(dir) } : null;
}

/** @param {string | undefined} text @returns {number | null} null: `max`, `unlimited`, or not known */
function numberOf(text) {
  return text && /^\d+\s*$/.test(text) ? Number(text) : null;
}
