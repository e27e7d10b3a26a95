/** Whether clients of a program may use long-polling: several requests for one session, which one worker has. */
import { ownSources } from './own-sources.js';

const PACKAGES = /^(socket\.io|engine\.io|fastify-socket\.io|@nestjs\/platform-socket\.io|sockjs)$/;
const WITHOUT = /\btransports\s*:\s*\[\s*(?:['"`]web(?:socket|transport)['"`][\s,]*)+\]/;
const CLIENT = 'socket.io-client';

/**
 * @param {string} script absolute
 * @returns {string | null} the package with which it serves them; null: none in its own files, or its server
 *   allows no long-polling
 */
export function findLongPolling(script) {
  let found = null;
  for (const { text, imports } of ownSources(script)) {
    const server = imports.find((name) => PACKAGES.test(name));
    if (!server) continue;
    found ??= server;
    // Of a client in the same file it would say nothing about the server.
    if (WITHOUT.test(text) && !imports.includes(CLIENT)) return null;
  }
  return found;
}
