/** Which files are not watched; pure but for the package, which only the process that watches loads. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { onDemand } from '../../shared/package/on-demand.js';

const require = createRequire(import.meta.url);
/** Its expressions take a fifth of the daemon's own start. */
const ignore = onDemand(() => /** @type {typeof import('ignore')} */ (require('ignore')));

/** Programs write to these while they run, or other tools own them. */
const ALWAYS = ['node_modules', '.git', 'logs'];

/**
 * @param {string} root what relative patterns are relative to
 * @param {readonly string[]} patterns as in a .gitignore there; absolute paths too
 * @param {string} home of nodecluster, which is written to all the time
 * @returns {(file: string) => boolean} whether the file, an absolute path, is not watched
 */
export function watchFilter(root, patterns, home) {
  const matcher = ignore()({ ignorecase: false, allowRelativePaths: true });
  matcher.add([...ALWAYS, ...patterns.map((pattern) => normalize(root, pattern))]);
  return (file) => {
    if (isWithin(home, file)) return true;
    const relative = path.relative(root, file);
    return relative !== '' && matcher.ignores(relative);
  };
}

/** @param {string} root @param {string} pattern */
function normalize(root, pattern) {
  const fromRoot = path.isAbsolute(pattern) ? path.relative(root, pattern) : pattern;
  const anchored = path.isAbsolute(pattern) && !fromRoot.includes('/') ? `/${fromRoot}` : fromRoot;
  // In a .gitignore a line that starts with # is a comment, and tmp/ does not match a link.
  return anchored.replace(/^\.\//, '').replace(/^#/, '\\#').replace(/\/+$/, '');
}

/**
 * Also with the number of a slot, and rotated.
 * @param {readonly string[]} files as in settings
 * @returns {(file: string) => boolean}
 */
export function writtenFilter(files) {
  /** Names by directory. @type {Map<string, RegExp[]>} */
  const names = new Map();
  for (const file of files) {
    const { dir, name, ext } = path.parse(file);
    const [start, end] = [name, ext].map((part) => part.replace(/[^\w]/g, '\\$&'));
    const isWritten = new RegExp(`^${start}(-\\d+)?${end}([.-]\\d[\\w.-]*|\\.\\w+\\.tmp)?$`);
    names.set(dir, [...(names.get(dir) ?? []), isWritten]);
  }
  return (file) => {
    const { dir, base } = path.parse(file);
    return names.get(dir)?.some((isWritten) => isWritten.test(base)) ?? false;
  };
}

/** @param {string} directory @param {string} file @returns {boolean} also for the directory itself */
export function isWithin(directory, file) {
  return file === directory || file.startsWith(directory === '/' ? '/' : directory + path.sep);
}
