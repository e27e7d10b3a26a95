/** Which changed files are no reason for a reload. */
import path from 'node:path';

/** Folders that programs write to while they run, or that are not theirs. */
const ALWAYS = ['node_modules', '.git', 'logs'];

/**
 * @param {string} root what relative patterns are relative to
 * @param {readonly string[]} patterns names of files or folders at any depth ('tmp', '*.log'), or
 *   paths from the root ('public/uploads', 'data/**'), with * ? and **
 * @param {string} home of nodecluster, which is written to all the time
 * @returns {(file: string) => boolean} for absolute paths
 */
export function watchFilter(root, patterns, home) {
  const expressions = [...ALWAYS, ...patterns].map((pattern) => expressionOf(root, pattern));
  return (file) => {
    if (file === home || file.startsWith(home + path.sep)) return true;
    const relative = path.relative(root, file).split(path.sep).join('/');
    return expressions.some((expression) => expression.test(relative));
  };
}

/**
 * @param {string} root
 * @param {string} pattern
 */
function expressionOf(root, pattern) {
  const relative = path.isAbsolute(pattern) ? path.relative(root, pattern) : pattern;
  const trimmed = relative.replace(/^\.\//, '').replace(/\/+$/, '');
  const source = trimmed.replace(/\*\*\/?|[*?]|[.+^${}()|[\]\\]/g, translate);
  const anchored = trimmed.includes('/') ? `^${source}` : `(?:^|/)${source}`;
  return new RegExp(`${anchored}(?:/|$)`);
}

/** @param {string} token */
function translate(token) {
  if (token === '**/') return '(?:.*/)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  return `\\${token}`;
}
