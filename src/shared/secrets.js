/** What is masked on screens, in logs and in files that others get: variables, arguments, URLs. */

export const MASK = '********';

const SECRET_WORD =
  /password|passwd|passphrase|secret|token|credential|authorization|api_?key|private_?key/i;
const SECRET_ENDING =
  /(?:^|_)(?:key|keys|auth|dsn|salt|cookie|pin|creds?|jwt|otp|hmac|sig|signature)$|(?:pass|pwd|pw)$/i;
const WORKING_DIRECTORY = /^(?:OLD)?PWD$/;
/** Also in the middle: a list of URLs, JSON. */
const URL_WITH_PASSWORD = /[a-z0-9]:\/\/[^/\s:@]*:[^/\s@]+@/i;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/;

/** @param {string} name of a variable @param {string} value @returns {string} it, or a mask */
export function maskSecret(name, value) {
  return isSecret(name, value) ? MASK : value;
}

/** @param {string} name also of a flag or a header @param {string} [value] it may contain a URL with a password, or a private key */
export function isSecret(name, value = '') {
  const plain = name.replace(/^-+/, '').replaceAll(/[.-]/g, '_');
  if (WORKING_DIRECTORY.test(plain)) return false;
  const snake = plain.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  const isNamed = SECRET_WORD.test(snake) || SECRET_ENDING.test(snake);
  return isNamed || URL_WITH_PASSWORD.test(value) || PRIVATE_KEY.test(value);
}

/** The password of a URL. */
const PASSWORD = /(:\/\/[^/\s:@]*:)[^/\s@]+@/g;
/** `--db-password=x`, `DB_PASSWORD=x`, `--set-env=DB_PASSWORD=x` */
const ASSIGNMENT = /^(-{0,2}[\w.-]+)=(.+)$/s;
const FLAG = /^--?[\w-]+$/;
/** The same within a command. */
const FLAG_IN_COMMAND = /(--?[\w-]*(?:password|passwd|secret|token|api-?key)[\w-]*[= ])\S+/gi;
/** Says where each value came from, under the names of variables. */
const SOURCES = 'given';

/**
 * Hides secrets in what is shown of an app, such as those among its arguments.
 * @template T
 * @param {T} value anything that JSON can hold
 * @param {string} [name] of the member that has this value
 * @returns {T} the same, with secrets masked
 */
export function maskSecrets(value, name = '') {
  return /** @type {T} */ (mask(value, name));
}

/** @param {unknown} value @param {string} name @returns {unknown} */
function mask(value, name) {
  if (name === SOURCES || value === null) return value;
  if (typeof value === 'string') return maskString(value, name);
  if (Array.isArray(value)) {
    return value.map((each, index) => {
      const before = value[index - 1];
      // The argument before may name this one.
      return mask(each, typeof before === 'string' && FLAG.test(before) ? before : name);
    });
  }
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mask(each, key)]));
}

/** @param {string} text @param {string} name @returns {string} */
function maskString(text, name) {
  const [, flag, assigned] = ASSIGNMENT.exec(text) ?? [];
  if (flag !== undefined && isNamedSecret(flag, assigned)) return `${flag}=${MASK}`;
  if (text !== '' && !FLAG.test(text) && isNamedSecret(name, text)) return MASK;
  if (flag !== undefined) return `${flag}=${maskString(assigned, '')}`;
  return text.replace(PASSWORD, `$1${MASK}@`).replace(FLAG_IN_COMMAND, `$1${MASK}`);
}

/** Of a value that has no sign of a secret in itself. @param {string} name @param {string} value */
function isNamedSecret(name, value) {
  return isSecret(name, value.replace(PASSWORD, ''));
}
