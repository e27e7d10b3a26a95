/** Which option a key in a file means: kill_timeout, killTimeout, kill-timeout or an alias. */
import { nearest } from '../nearest.js';
import { options } from './table.js';
import { pm2Advice } from '../pm2.js';

/** @import { Option } from './table.js' */

/** @type {Map<string, Option>} */
const byKey = new Map(
  options.flatMap((option) => [option.key, ...(option.aliases ?? [])].map((key) => [key, option])),
);

const ENVIRONMENT = /^env_(.+)$/;

/**
 * @param {string} key
 * @returns {{option: Option} | {environment: string} | {advice: string} | {nearest: string|null}}
 *   `advice`: the key is one that only PM2 has
 */
export function identifyKey(key) {
  const snake = snakeCase(key);
  const option = byKey.get(snake);
  if (option) return { option };
  const environment = ENVIRONMENT.exec(key)?.[1];
  if (environment) return { environment };
  const advice = pm2Advice(snake);
  if (advice) return { advice };
  return { nearest: nearest(snake, byKey.keys()) };
}

/**
 * @param {string} key kill_timeout or kill-timeout
 * @returns {string} killTimeout
 */
export function camelCase(key) {
  return key.replace(/[_-]([a-z])/g, (_, letter) => letter.toUpperCase());
}

/** @param {string} key */
function snakeCase(key) {
  return key.replace(/-/g, '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
