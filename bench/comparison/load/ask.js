/** One request with its time. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** @import { Agent } from 'node:http' */

const TIMEOUT_MS = 60_000;

/**
 * @param {{port: number, path: string, agent?: Agent}} options agent: without one, on a new connection
 * @returns {Promise<{ms: number, body: string}>}
 */
export function ask({ port, path, agent }) {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const options = { port, path, host: '127.0.0.1', agent: agent ?? false, timeout: TIMEOUT_MS };
    const asked = request(options, async (response) => {
      const body = await text(response);
      resolve({ ms: performance.now() - begin, body });
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)));
    asked.on('error', reject).end();
  });
}
