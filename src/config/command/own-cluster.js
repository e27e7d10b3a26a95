/** Whether a program starts workers itself, with node:cluster. As a worker of ours it could not. */
import { basename } from 'node:path';
import { ownSources } from './own-sources.js';

/** @import { Source } from './own-sources.js' */

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
  for (const source of ownSources(script)) {
    const found = startsWorkers(source);
    if (found) return `${basename(script)} starts workers itself, ${found}`;
  }
  return null;
}

/** @param {Source} source @returns {string | null} */
function startsWorkers({ text, imports }) {
  const owner = imports.find((name) => PACKAGES.test(name));
  if (owner) return `with ${owner}`;
  const usesCluster = imports.some((name) => CLUSTER.test(name));
  if (usesCluster && (FORK_CALL.test(text) || FORK_IMPORT.test(text))) return 'with cluster.fork()';
  const isSticky = imports.includes('@socket.io/sticky') && STICKY_CALL.test(text);
  return isSticky ? 'with @socket.io/sticky' : null;
}
