/** Light traffic, so that the pictures have something to show. */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @param {number[]} ports the first one gets most of the requests
 * @returns {() => void} ends it
 */
export function startLoad(ports) {
  let isOn = true;
  const request = async (/** @type {number} */ port) => {
    while (isOn) {
      await ask(port);
      await pause(60);
    }
  };
  for (const [index, port] of ports.entries()) {
    for (let client = 0; client < 8 >> (2 * index); client += 1) request(port);
  }
  return () => {
    isOn = false;
  };
}

/**
 * @param {number} port
 * @returns {Promise<void>} when it was answered or has failed
 */
function ask(port) {
  return new Promise((resolve) => {
    const request = http.get({ port, host: '127.0.0.1', timeout: 2000, agent: false });
    request.on('response', (response) => response.resume());
    request.on('timeout', () => request.destroy());
    request.on('error', () => {});
    request.on('close', () => resolve());
  });
}
