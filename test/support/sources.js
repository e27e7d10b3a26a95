/** The files of the project, for the tests that enforce its rules. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join, posix } from 'node:path';
import { isBuiltin } from 'node:module';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @returns {string[]} tracked and untracked files, without ignored ones */
export function projectFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return listed.split('\n').filter(Boolean).filter(exists).sort();
}

/** @param {string} path @returns {string} */
export function read(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** @returns {string[]} the shipped JavaScript files */
export function shippedSources() {
  return projectFiles().filter((path) => /^(bin|src)\/.*\.c?js$/.test(path));
}

/**
 * @param {string} text
 * @returns {string} the code without comments
 */
export function withoutComments(text) {
  return text
    .replace(/^\s*\/\*[\s\S]*?\*\//gm, '')
    .replace(/\/\*\* .*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

/** @typedef {{from: string, to: string, kind: 'file'|'node'|'package'}} Import */

/**
 * @param {string} path
 * @returns {Import[]} the imports of the file: `to` is a path in the project or a package name
 */
export function importsOf(path) {
  const code = withoutComments(read(path));
  const found = code.matchAll(
    /(?:(?<![-\w])from\s*|\bimport\s*\(\s*|\brequire\s*\(\s*|^import\s+)(['"])([^'"\n]+)\1/gm,
  );
  return [...found].map(([, , specifier]) => resolved(path, specifier));
}

/** @param {string} from @param {string} specifier @returns {Import} */
function resolved(from, specifier) {
  if (specifier.startsWith('.')) {
    return { from, to: posix.join(posix.dirname(from), specifier), kind: 'file' };
  }
  if (isBuiltin(specifier)) return { from, to: specifier, kind: 'node' };
  const parts = specifier.split('/');
  const to = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
  return { from, to, kind: 'package' };
}

/** @param {string} path */
function exists(path) {
  try {
    read(path);
    return true;
  } catch {
    return false; // deleted but not yet committed, or a link to a directory
  }
}
