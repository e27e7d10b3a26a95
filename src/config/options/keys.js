/** Which option a key in a file means: kill_timeout, killTimeout, kill-timeout or an alias. */
import { nearest, snakeCase } from '../spelling.js';
import { pm2Keys } from './pm2-keys.js';
import { options } from './table.js';

/** @import { Option, Pm2Name } from './option.js' */

/** @type {Map<string, Option>} */
const byKey = new Map(
  options.flatMap((option) => [option.key, ...(option.aliases ?? [])].map((key) => [key, option])),
);
const pm2ByKey = new Map(
  [...pm2Keys, ...options.flatMap(({ pm2 = [] }) => pm2)].flatMap((name) =>
    (name.keys ?? []).map((key) => [key, name]),
  ),
);

/**
 * @param {string} key
 * @returns {{option: Option} | {environment: string} | {pm2: Pm2Name} | {nearest: string|null}}
 */
export function identifyKey(key) {
  const snake = snakeCase(key);
  const option = byKey.get(snake);
  if (option) return { option };
  const environment = /^env_(.+)$/.exec(key)?.[1];
  if (environment) return { environment };
  const pm2 = pm2ByKey.get(snake);
  if (pm2) return { pm2 };
  return { nearest: nearest(snake, byKey.keys()) };
}
