/** The cgroups of this process, from what Linux says about it. */
import { readText } from './files/inspect-path.js';

/** @typedef {{version: 'v1' | 'v2', directory: string}} Group directory: of the cgroup in the file system */
/** @typedef {typeof readText} ReadText */

/**
 * Every cgroup that may limit the process: its own and their ancestors, as far as they are mounted.
 * @param {'cpu' | 'memory'} controller
 * @param {ReadText} [read]
 * @returns {Group[]}
 */
export function groupsOf(controller, read = readText) {
  const linesOf = (/** @type {string} */ name) => read(`/proc/self/${name}`).split('\n');
  const isOwn = (/** @type {string | undefined} */ list) => list?.split(',').includes(controller);
  // `4:cpu,cpuacct:/docker/4f5e`; of version 2 `0::/init.scope`
  return linesOf('cgroup').flatMap((membership) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(membership) ?? [];
    const version = isOwn(controllers) ? 'v1' : 'v2';
    if (version === 'v2' && controllers !== '') return [];
    // `30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw`
    return linesOf('mountinfo').flatMap((mount) => {
      const [place, source = ''] = mount.split(' - ');
      const [type, , options] = source.split(' ');
      const isRight = version === 'v1' ? type === 'cgroup' && isOwn(options) : type === 'cgroup2';
      if (!isRight) return [];
      const [, , , root, point] = place.split(' ').map(unescaped);
      return directoriesOf(path, root, point).map((directory) => ({ version, directory }));
    });
  });
}

/** The kernel writes a space, tab, newline and backslash as `\040`. @param {string} text */
function unescaped(text) {
  return text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(parseInt(digits, 8)));
}

/**
 * From the cgroup itself up to the mount point; none if the mount does not show it.
 * @param {string} path of a cgroup
 * @param {string} root the path that is seen at `point`
 * @param {string} point
 */
function directoriesOf(path, root, point) {
  const [below, top] = [path, root].map((each) => (each === '/' ? '' : each));
  if (below !== top && !below.startsWith(`${top}/`)) return [];
  const names = below.slice(top.length).split('/').slice(1);
  if (names.includes('..')) return [];
  return Array.from({ length: names.length + 1 }, (_, above) =>
    [point, ...names.slice(0, names.length - above)].join('/'),
  );
}
