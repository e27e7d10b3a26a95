/** What the page shows of one app: `describe` and `env`, with secrets masked. */
import { NodeclusterError } from '../../errors/error.js';
import { settingRows } from '../../api/setting-rows.js';
import { askDaemon } from './daemon.js';
import { fetchDescriptions } from '../../api/selectors.js';
import { isSecret } from '../../shared/secrets.js';

/**
 * @import { Details } from './shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

/**
 * @param {HomePaths} paths
 * @param {string} name
 * @returns {Promise<Details>}
 * @throws {NodeclusterError} E_APP_UNKNOWN, E_DAEMON_NOT_RUNNING
 */
export async function fetchDetails(paths, name) {
  const selectors = [name];
  const [described, environments] = await askDaemon(paths, (client) =>
    Promise.all([fetchDescriptions(client, selectors), client.request('env', { selectors })]),
  );
  // A name can also mean a namespace.
  const found = described.find((app) => app.name === name);
  if (!found) throw new NodeclusterError('E_APP_UNKNOWN', { selector: name, known: [] });
  const app = maskSecrets(found);
  const environment = environments.apps.find((each) => each.name === name)?.env ?? {};
  return {
    app,
    environment,
    settings: settingRows(app).map(([key, value, source]) => ({ key, value, source })),
  };
}

const MASK = '********';
/** The password of a URL. */
const PASSWORD = /(:\/\/[^/\s:@]*:)[^/\s@]+@/g;
/** `--db-password=x`, `DB_PASSWORD=x` */
const ASSIGNMENT = /^(-{0,2}[\w.-]+)=(.+)$/s;
const FLAG = /^--?[\w-]+$/;
/** The same within a command. */
const FLAG_IN_COMMAND = /(--?[\w-]*(?:password|passwd|secret|token|api-?key)[\w-]*[= ])\S+/gi;
/** Says where each value came from, under the names of variables. */
const SOURCES = 'given';

/**
 * Hides secrets in what is shown of an app. The page may be open on a screen that others see. Pure.
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
    return value.map((each, index) => mask(each, flagBefore(value[index - 1]) ?? name));
  }
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mask(each, key)]));
}

/** @param {string} text @param {string} name */
function maskString(text, name) {
  const [, flag, assigned] = ASSIGNMENT.exec(text) ?? [];
  if (flag !== undefined && isNamedSecret(flag, assigned)) return `${flag}=${MASK}`;
  if (text !== '' && !FLAG.test(text) && isNamedSecret(name, text)) return MASK;
  return text.replace(PASSWORD, `$1${MASK}@`).replace(FLAG_IN_COMMAND, `$1${MASK}`);
}

/** Of a value that has no sign of a secret in itself. @param {string} name @param {string} value */
function isNamedSecret(name, value) {
  return isSecret(name.replace(/^-+/, '').replaceAll('-', '_'), value.replace(PASSWORD, ''));
}

/** @param {unknown} before @returns {string | null} the name, if the argument before names the next one */
function flagBefore(before) {
  return typeof before === 'string' && FLAG.test(before) ? before : null;
}
