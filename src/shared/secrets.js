/** Which environment variables are masked on screens and in logs. */

export const MASK = '********';

const SECRET_WORD = /password|passwd|passphrase|secret|token|credential|api_?key|private_?key/i;
const SECRET_ENDING = /(?:^|_)(?:key|keys|pass|pw|pwd|auth|dsn|salt|cookie|pin)$/i;
const WORKING_DIRECTORY = /^(?:old)?pwd$/i;
/** Also in the middle: a list of URLs, JSON. */
const URL_WITH_PASSWORD = /[a-z0-9]:\/\/[^/\s:@]*:[^/\s@]+@/i;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/;

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
 * @param {string} value it may contain a URL with a password, or a private key
 */
export function isSecret(name, value) {
  if (WORKING_DIRECTORY.test(name)) return false;
  const snake = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  const isNamed = SECRET_WORD.test(snake) || SECRET_ENDING.test(snake);
  return isNamed || URL_WITH_PASSWORD.test(value) || PRIVATE_KEY.test(value);
}
