/** Which changed files do not cause a reload. The only importer of ignore. */
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
 * @param {readonly string[]} patterns as in a .gitignore: names at any depth ('tmp', '*.log'), or
 *   paths from the root ('public/uploads', 'data/**'); absolute paths too
 * @param {string} home of nodecluster, which is written to all the time
 * @returns {(file: string) => boolean} for absolute paths
 */
export function watchFilter(root, patterns, home) {
  const matcher = ignore()({ ignorecase: false, allowRelativePaths: true });
  matcher.add([...ALWAYS, ...patterns.map((pattern) => normalize(root, pattern))]);
  return (file) => {
    if (file === home || file.startsWith(home + path.sep)) return true;
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
