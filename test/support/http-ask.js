/** Sends one request, once; and finds out which workers answer. */
import { Agent, request } from 'node:http';
import { until, within } from './until.js';

/**
 * @param {number} port
 * @param {string} [path]
 * @returns {Promise<any>} the answer, parsed if it is JSON
 */
export function ask(port, path = '/') {
  return within(
    new Promise((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path, agent: new Agent() });
      asked.on('error', reject);
      asked.on('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text) => (body += text));
        response.on('error', reject);
        response.on('end', () => resolve(parsed(body)));
      });
      asked.end();
    }),
    `an answer from port ${port}`,
  );
}

/**
 * Sends requests until `count` different processes have answered.
 * @param {number} port
 * @param {number} count
 * @returns {Promise<number[]>} their pids, in order
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

/** @param {string} body */
function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>} nobody listens there
 */
export function isRefused(port) {
  return ask(port).then(
    () => false,
    ({ code }) => code === 'ECONNREFUSED',
  );
}
