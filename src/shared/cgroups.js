/** The cgroups of this process, from what Linux says about it. */
import { readText } from './files/inspect-path.js';

/** @typedef {{version: 'v1' | 'v2', directory: string}} Group directory: of the cgroup in the file system */
/** @typedef {typeof readText} ReadText */

/** What the kernel escapes in mountinfo: space, tab, newline and backslash, as `\040`. */
const ESCAPED = /\\([0-7]{3})/g;

/**
 * Every cgroup that may limit the process: its own and their ancestors, as far as they are mounted.
 * @param {'cpu' | 'memory'} controller
 * @param {ReadText} [read]
 * @returns {Group[]}
 */
export function groupsOf(controller, read = readText) {
  const linesOf = (/** @type {string} */ name) => read(`/proc/self/${name}`).split('\n');
  const memberships = linesOf('cgroup').flatMap((line) => readMembership(line, controller));
  const mounts = linesOf('mountinfo').flatMap((line) => readMount(line, controller));
  return memberships.flatMap(({ version, path }) =>
    mounts
      .filter((mount) => mount.version === version)
      .flatMap((mount) => directoriesOf(path, mount))
      .map((directory) => ({ version, directory })),
  );
}

/**
 * None or one.
 * @param {string} line `4:cpu,cpuacct:/docker/4f5e`, `0::/init.scope`
 * @param {string} controller
 * @returns {{version: Group['version'], path: string}[]}
 */
function readMembership(line, controller) {
  const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
  if (path === undefined) return [];
  if (controllers === '') return [{ version: 'v2', path }];
  return controllers.split(',').includes(controller) ? [{ version: 'v1', path }] : [];
}

/**
 * None or one.
 * @param {string} line `30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw`
 * @param {string} controller
 * @returns {{version: Group['version'], root: string, point: string}[]}
 */
function readMount(line, controller) {
  const [place, source] = line.split(' - ');
  const [, , , root, point] = place
    .split(' ')
    .map((text) => text.replace(ESCAPED, (_, digits) => String.fromCharCode(parseInt(digits, 8))));
  const [type, , options = ''] = (source ?? '').split(' ');
  if (type === 'cgroup2') return [{ version: 'v2', root, point }];
  const isV1 = type === 'cgroup' && options.split(',').includes(controller);
  return isV1 ? [{ version: 'v1', root, point }] : [];
}

/**
 * From the cgroup itself up to the mount point; none if the mount does not show it.
 * @param {string} path of a cgroup
 * @param {{root: string, point: string}} mount root: the path that is seen at `point`
 */
function directoriesOf(path, { root, point }) {
  const [below, top] = [path, root].map((each) => (each === '/' ? '' : each));
  if (below !== top && !below.startsWith(`${top}/`)) return [];
  const names = below.slice(top.length).split('/').slice(1);
  if (names.includes('..')) return [];
  return Array.from({ length: names.length + 1 }, (_, above) =>
    [point, ...names.slice(0, names.length - above)].join('/'),
  );
}
