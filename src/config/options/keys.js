/** Which option a key in a file means: kill_timeout, killTimeout, kill-timeout or an alias. */
import { nearest } from '../nearest.js';
import { pm2Advice } from './pm2-keys.js';
import { options } from './table.js';

/** @import { Option } from './option.js' */

/** @type {Map<string, Option>} */
const byKey = new Map(
  options.flatMap((option) => [option.key, ...(option.aliases ?? [])].map((key) => [key, option])),
);

/**
 * @param {string} key
 * @returns {{option: Option} | {environment: string} | {pm2Key: string, advice: string} | {nearest: string|null}}
 *   `pm2Key`: in snake_case, if only PM2 has it
 */
export function identifyKey(key) {
  const snake = snakeCase(key);
  const option = byKey.get(snake);
  if (option) return { option };
  const environment = /^env_(.+)$/.exec(key)?.[1];
  if (environment) return { environment };
  const advice = pm2Advice(snake);
  if (advice) return { pm2Key: snake, advice };
  return { nearest: nearest(snake, byKey.keys()) };
}

/**
 * @param {Pick<Option, 'key' | 'aliases'>} option
 * @returns {string[]} all other names that a file may use for it
 */
export function spellingsOf({ key, aliases = [] }) {
  const names = key.includes('<') ? [] : [key, ...aliases];
  const all = names.flatMap((name) => [name, camelCase(name), name.replace(/_/g, '-')]);
  return [...new Set(all)].filter((name) => name !== key);
}

/**
 * @param {string} key killTimeout or kill-timeout
 * @returns {string} kill_timeout
 */
export function snakeCase(key) {
  return key.replace(/-/g, '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * @param {string} key kill_timeout or kill-timeout
 * @returns {string} killTimeout
 */
export function camelCase(key) {
  return key.replace(/[_-]([a-z])/g, (_, letter) => letter.toUpperCase());
}
