/** Light traffic, so that the pictures have something to show. */
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../../test/support/http-ask.js';

/**
 * @param {number[]} ports the first one gets most of the requests
 * @returns {() => void} ends it
 */
export function startLoad(ports) {
  let isOn = true;
  const request = async (/** @type {number} */ port) => {
    while (isOn) {
      await ask(port).catch(() => {}); // one that fails is no picture's subject
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
