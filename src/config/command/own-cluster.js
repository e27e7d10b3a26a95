/** Whether a program starts workers itself, with node:cluster. As a worker of ours it could not. */
import { basename, dirname, join } from 'node:path';
import { locateMain, readText } from './locate.js';

/** Its own files that are read, the main file included. */
const MAX_FILES = 40;
const IMPORT = /(?:\brequire\s*\(\s*|\bfrom\s*|\bimport\s*(?:\(\s*)?)(['"])([^'"\n]+)\1/g;
const COMMENTS = /\/\*[^]*?(?:\*\/|(?![^]))|^[ \t]*\/\/.*$/gm;
const CLUSTER = /^(node:)?cluster$/;
/** Packages that do nothing else. */
const PACKAGES = /^(throng|recluster|cluster-service|sticky-session|sticky-cluster)$/;
const FORK_CALL = /\bcluster(?:\.default)?\.fork\s*\(/;
const FORK_IMPORT =
  /[{,]\s*fork\b[^}]{0,500}\}\s*(?:=\s*require\s*\(\s*|from\s*)['"](?:node:)?cluster['"]/;
const STICKY_CALL = /\bsetup(?:Master|Primary)\s*\(/;

/**
 * @param {string} script absolute
 * @returns {string | null} what it does, as the end of a sentence about it; null: nothing of that kind is in
 *   its own files
 */
export function describeOwnCluster(script) {
  const queue = [script];
  for (let at = 0; at < queue.length && at < MAX_FILES; at += 1) {
    const text = readText(queue[at]).replace(COMMENTS, '');
    const imports = [...text.matchAll(IMPORT)].map(([, , name]) => name);
    const found = startsWorkers(text, imports);
    if (found) return `${basename(script)} starts workers itself, ${found}`;
    for (const path of imports.filter((name) => /^\.\.?\//.test(name))) {
      const file = locateMain(join(dirname(queue[at]), path));
      if (file && !queue.includes(file)) queue.push(file);
    }
  }
  return null;
}

/**
 * @param {string} text of a file, without comments
 * @param {string[]} imports of it
 * @returns {string | null}
 */
function startsWorkers(text, imports) {
  const owner = imports.find((name) => PACKAGES.test(name));
  if (owner) return `with ${owner}`;
  const usesCluster = imports.some((name) => CLUSTER.test(name));
  if (usesCluster && (FORK_CALL.test(text) || FORK_IMPORT.test(text))) return 'with cluster.fork()';
  const isSticky = imports.includes('@socket.io/sticky') && STICKY_CALL.test(text);
  return isSticky ? 'with @socket.io/sticky' : null;
}
