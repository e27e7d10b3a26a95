/** Sends one request, once; and finds out which workers answer. */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { until, within } from './until.js';

/** @import { IncomingHttpHeaders, RequestOptions } from 'node:http' */

/**
 * @param {RequestOptions} options
 * @returns {Promise<{status?: number, headers: IncomingHttpHeaders, body: string, reused: boolean}>}
 */
export function answerOf(options) {
  const answered = new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', agent: new Agent(), ...options });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const { statusCode: status, headers } = response;
      const whole = (/** @type {string} */ body) =>
        resolve({ status, headers, body, reused: asked.reusedSocket });
      text(response).then(whole, reject);
    });
    asked.end();
  });
  return within(answered, `an answer from ${options.socketPath ?? `port ${options.port}`}`);
}

/** The answer, parsed if it is JSON. @param {number} port */
export async function ask(port, path = '/') {
  const { body } = await answerOf({ port, path });
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/**
 * Sends requests until `count` different processes have answered, and returns their pids in order.
 * @param {number} port
 * @param {number} count
 */
export async function pidsThatAnswer(port, count) {
  const pids = new Set();
  await until(async () => {
    const answers = await Promise.all(Array.from({ length: 2 * count }, () => ask(port)));
    for (const { pid } of answers) pids.add(pid);
    return pids.size >= count;
  }, `answers of ${count} workers`);
  return [...pids].sort((a, b) => a - b);
}

/** Nobody listens there. @param {number} port */
export function isRefused(port) {
  return ask(port).then(
    () => false,
    ({ code }) => code === 'ECONNREFUSED',
  );
}
