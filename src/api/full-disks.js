/** Which file systems have no room, of those that an app uses that lacks it. */
import { readFile, readdir, readlink, realpath, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatSize } from '../shared/units.js';

/**
 * @import { StatsFs } from 'node:fs'
 * @import { Description } from '../protocol/shapes.js'
 *
 * @typedef {{device: string, directory: string, type: string}} Mount device: two mounts may have the same
 */

const LACKS_ROOM = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded/i;
/** The path in a system error of Node: `ENOSPC: no space left on device, open '/data/x'`. */
const NAMED = /\b(?:ENOSPC|EDQUOT)\b.* '(\/[^']+)'/;
/** File systems that a program of this machine may write to. */
const LOCAL = ['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'tmpfs', 'overlay'];
/** Bytes; a program may find this much too little, unless it is a good part of a small file system. */
const FEW = 1024 ** 2;

/**
 * @param {Description} app
 * @returns {Promise<string[]>} `/var/log (tmpfs, 0B of 64M free)`; none: it lacks no room, or no such file system can be seen
 */
export async function fullDisksOf({ workers, logs, spec, note = '' }) {
  const causes = workers.map(({ lastError, crashCause, cause, reason }) =>
    [lastError, crashCause, cause, reason].join('\n'),
  );
  const text = [note, ...causes].join('\n');
  if (!LACKS_ROOM.test(text)) return [];
  const named = text.split('\n').flatMap((line) => NAMED.exec(line)?.[1] ?? []);
  const open = await Promise.all(workers.map(({ pid }) => (pid ? openPaths(pid) : [])));
  const used = [...named, ...open.flat(), spec.cwd, tmpdir(), ...logs.out, ...logs.error];
  const mounts = parseMounts(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''));
  const found = used
    .filter((file) => path.isAbsolute(file) && !/^\/(dev|proc|sys)\//.test(file))
    .map(async (file) => mountOf(await realDirectory(file), mounts));
  const own = await fullOf(await Promise.all(found));
  if (own.length > 0) return own.map(({ text }) => text);
  // What one that has exited had open is not known. A mount over a network may not reply.
  const others = await fullOf(mounts.filter(({ type }) => LOCAL.includes(type)));
  return others.map(({ text }) => `${text}, which it may use`);
}

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

/** @param {number} pid @returns {Promise<string[]>} its files, as far as this user may see them */
async function openPaths(pid) {
  const directory = `/proc/${pid}/fd`;
  const descriptors = await readdir(directory).catch(() => []);
  const links = [`/proc/${pid}/cwd`, ...descriptors.map((each) => path.join(directory, each))];
  return Promise.all(links.map((link) => readlink(link).catch(() => '')));
}

/** @param {string} file that may not exist any more @returns {Promise<string>} where it is, or was */
async function realDirectory(file) {
  const directory = path.dirname(file);
  return realpath(file).catch(() => realpath(directory).catch(() => directory));
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
