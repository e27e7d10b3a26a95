/** `NAME=value` files. The only importer of dotenv. */
import { parse } from 'dotenv';
import { readBounded } from './read-bounded.js';

/**
 * @param {string} file absolute path
 * @returns {Promise<Record<string, string>>}
 * @throws {import('../errors/error.js').NodeclusterError} E_CONFIG_MISSING and its kin
 */
export async function loadEnvFile(file) {
  return parse(await readBounded(file, file));
}
