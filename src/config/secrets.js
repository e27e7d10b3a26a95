/** Which environment variables are not to be shown to whoever looks over a shoulder or at a log. */

export const MASK = '********';

const TELLING = /password|passwd|passphrase|secret|token|credential|api_?key|private_?key/i;
const LAST_WORD = /(?:^|_)(?:key|keys|pass|pw|pwd|auth|dsn|salt|cookie|pin)$/i;
const HARMLESS = /^(?:old)?pwd$/i;
const URL_WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

/**
 * @param {string} name of a variable: DB_PASSWORD, apiKey
 * @param {string} [value] a URL with a password in it tells too
 * @returns {boolean}
 */
export function looksSecret(name, value = '') {
  if (HARMLESS.test(name)) return false;
  const snake = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return TELLING.test(snake) || LAST_WORD.test(snake) || URL_WITH_PASSWORD.test(value);
}

/**
 * @param {string} name
 * @param {string} value
 * @returns {string} the value, or a mask
 */
export function maskSecret(name, value) {
  return looksSecret(name, value) ? MASK : value;
}
