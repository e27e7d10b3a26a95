/** What the program's own files say about it; those of its packages are not read. */
import { basename, dirname, join } from 'node:path';
import { locateMain, readStart } from './locate.js';

/** The main file included. */
const MAX_FILES = 40;
const IMPORT = /(?:\brequire\s*\(\s*|\bfrom\s*|\bimport\s*(?:\(\s*)?)(['"])([^'"\n]+)\1/g;
const COMMENTS = /\/\*[^]*?(?:\*\/|(?![^]))|^[ \t]*\/\/.*$/gm;

const CLUSTER = /^(node:)?cluster$/;
/** Packages that do nothing but start workers. */
const CLUSTER_PACKAGES = /^(throng|recluster|cluster-service|sticky-session|sticky-cluster)$/;
const FORK_CALL = /\bcluster(?:\.default)?\.fork\s*\(/;
const FORK_IMPORT =
  /[{,]\s*fork\b[^}]{0,500}\}\s*(?:=\s*require\s*\(\s*|from\s*)['"](?:node:)?cluster['"]/;
const STICKY_CALL = /\bsetup(?:Master|Primary)\s*\(/;

/** Packages whose clients may use long-polling. */
const POLLED_PACKAGES =
  /^(socket\.io|engine\.io|fastify-socket\.io|@nestjs\/platform-socket\.io|sockjs)$/;
const WITHOUT_POLLING = /\btransports\s*:\s*\[\s*(?:['"`]web(?:socket|transport)['"`][\s,]*)+\]/;
const CLIENT = 'socket.io-client';

/** @typedef {{text: string, imports: string[]}} Source without comments */

/**
 * Whether a program starts workers itself, with node:cluster: as a worker of ours it could not.
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

/** @param {Source} source */
function startsWorkers({ text, imports }) {
  const owner = imports.find((name) => CLUSTER_PACKAGES.test(name));
  if (owner) return `with ${owner}`;
  const usesCluster = imports.some((name) => CLUSTER.test(name));
  if (usesCluster && (FORK_CALL.test(text) || FORK_IMPORT.test(text))) return 'with cluster.fork()';
  const isSticky = imports.includes('@socket.io/sticky') && STICKY_CALL.test(text);
  return isSticky ? 'with @socket.io/sticky' : null;
}

/**
 * Long-polling sends several requests for one session, which one worker has.
 * @param {string} script absolute
 * @returns {string | null} the package with which it serves them; null: none in its own files, or its server
 *   allows no long-polling
 */
export function findLongPolling(script) {
  let found = null;
  for (const { text, imports } of ownSources(script)) {
    const server = imports.find((name) => POLLED_PACKAGES.test(name));
    if (!server) continue;
    found ??= server;
    // Of a client in the same file it would say nothing about the server.
    if (WITHOUT_POLLING.test(text) && !imports.includes(CLIENT)) return null;
  }
  return found;
}

/** @param {string} script absolute @returns {Generator<Source>} none for one in node_modules */
function* ownSources(script) {
  const queue = script.includes('/node_modules/') ? [] : [script];
  for (let at = 0; at < queue.length && at < MAX_FILES; at += 1) {
    const text = readStart(queue[at]).replace(COMMENTS, '');
    const imports = [...text.matchAll(IMPORT)].map(([, , name]) => name);
    yield { text, imports };
    for (const path of imports.filter((name) => /^\.\.?\//.test(name))) {
      const file = locateMain(join(dirname(queue[at]), path));
      if (file && !queue.includes(file)) queue.push(file);
    }
  }
}
