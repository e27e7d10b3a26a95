/** Which environment variables are masked on screens and in logs. */

const MASK = '********';

const SECRET_WORD = /password|passwd|passphrase|secret|token|credential|api_?key|private_?key/i;
const SECRET_ENDING = /(?:^|_)(?:key|keys|pass|pw|pwd|auth|dsn|salt|cookie|pin)$/i;
const WORKING_DIRECTORY = /^(?:old)?pwd$/i;
const URL_WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

/**
 * @param {string} name of a variable: DB_PASSWORD, apiKey
 * @param {string} value
 * @returns {string} the value, or a mask
 */
export function maskSecret(name, value) {
  return isSecret(name, value) ? MASK : value;
}

/**
 * @param {string} name
 * @param {string} value a URL may contain a password
 * @returns {boolean}
 */
export function isSecret(name, value) {
  if (WORKING_DIRECTORY.test(name)) return false;
  const snake = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return SECRET_WORD.test(snake) || SECRET_ENDING.test(snake) || URL_WITH_PASSWORD.test(value);
}
