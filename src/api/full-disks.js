/** Which file systems have no room. */
import { statfs } from 'node:fs/promises';
import { formatSize } from '../shared/units.js';

/**
 * @import { StatsFs } from 'node:fs'
 *
 * @typedef {{device: string, directory: string, type: string}} Mount device: two mounts may have the same
 */

/** Bytes; a program may find this much too little, unless it is a good part of a small file system. */
const FEW = 1024 ** 2;

/**
 * @typedef {{directory: string, hasInodes: boolean, text: string}} FullDisk text: in words
 *
 * @param {Mount[]} mounts @returns {Promise<FullDisk[]>} the full ones
 */
export async function fullOf(mounts) {
  const unique = new Map(mounts.map((mount) => [mount.device, mount]));
  const disks = [...unique.values()].map(async (mount) => {
    const { directory } = mount;
    const stats = await statfs(directory).catch(() => null);
    const text = describeFull(mount, stats);
    return text === null ? null : { directory, hasInodes: !stats?.files || stats.ffree > 0, text };
  });
  return (await Promise.all(disks)).filter((disk) => disk !== null);
}

/** @param {string} text of /proc/self/mountinfo @returns {Mount[]} */
export function parseMounts(text) {
  return text.split('\n').flatMap((line) => {
    const [, device, directory, type] = /^\S+ \S+ (\S+) \S+ (\S+) .* - (\S+) /.exec(line) ?? [];
    const plain = directory?.replace(/\\(\d{3})/g, (_, octal) =>
      String.fromCharCode(parseInt(octal, 8)),
    );
    return plain === undefined ? [] : [{ device, directory: plain, type }];
  });
}

/** @param {string} file @param {Mount[]} mounts @returns {Mount} the last one there hides those before it */
export function mountOf(file, mounts) {
  const isIn = (/** @type {Mount} */ { directory }) =>
    directory === '/' || file === directory || file.startsWith(`${directory}/`);
  const own = mounts
    .filter(isIn)
    .sort((one, other) => one.directory.length - other.directory.length);
  return own.at(-1) ?? { device: file, directory: file, type: '' };
}

/** @param {Mount} mount @param {Pick<StatsFs, 'bsize' | 'blocks' | 'bavail' | 'files' | 'ffree'> | null} stats null: not known @returns {string | null} null: nothing says that it is full */
export function describeFull({ directory, type }, stats) {
  if (stats === null || stats.blocks === 0) return null;
  const { bsize, blocks, bavail, files, ffree } = stats;
  const head = `${directory} (${type && `${type}, `}`;
  if (bavail * bsize < FEW && bavail < blocks / 100) {
    return `${head}${formatSize(bavail * bsize)} of ${formatSize(blocks * bsize)} free)`;
  }
  return files > 0 && ffree === 0 ? `${head}no inode of ${files} free)` : null;
}
