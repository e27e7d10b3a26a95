/** Removes values that look secret from settings in which nothing can refer to a secret. */
import { isSecret } from '../../config/secrets.js';

const MASK = '********';
const FLAG = /^--?([\w-]+)$/;
const FLAG_WITH_VALUE = /^(--?([\w-]+)=)(.*)$/s;

/**
 * @template T
 * @param {T} value plain data
 * @returns {T} with a mask in place of every URL that has a password, and of every argument after a
 *   flag such as `--token`
 */
export function maskSecrets(value) {
  if (typeof value === 'string') return /** @type {T} */ (maskWord(value));
  if (Array.isArray(value)) return /** @type {T} */ (value.map(maskItem));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([key, each]) => [key, maskSecrets(each)]);
  return /** @type {T} */ (Object.fromEntries(pairs));
}

/** @param {unknown} item @param {number} index @param {unknown[]} list */
function maskItem(item, index, list) {
  if (typeof item !== 'string') return maskSecrets(item);
  const [, flag] = FLAG.exec(String(list[index - 1] ?? '')) ?? [];
  const isValue = flag !== undefined && !item.startsWith('-');
  return isValue && isSecret(variableOf(flag), item) ? MASK : maskWord(item);
}

/** @param {string} word */
function maskWord(word) {
  const [, start, flag, value] = FLAG_WITH_VALUE.exec(word) ?? [];
  if (flag !== undefined && isSecret(variableOf(flag), value)) return `${start}${MASK}`;
  return isSecret('', word) ? MASK : word;
}

/** @param {string} flag */
function variableOf(flag) {
  return flag.replaceAll('-', '_');
}
