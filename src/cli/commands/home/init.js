import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ecosystemTemplate } from '../../../config/describe/init.js';
import { ECOSYSTEM_FILES } from '../../../config/file/load.js';
import { readPackageJson } from '../../../config/file/package-json.js';
import { NodeclusterError } from '../../../errors/error.js';
import { maskLine } from '../../render/mask.js';

/** @import { CommandData, Run } from '../../verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'write a commented ecosystem.yml for the program in this directory',
  arguments: [],
  options: [],
  examples: ['nodecluster init && nodecluster start'],
};

/** @type {Run} */
export async function run({ cwd, print }) {
  const existing = ECOSYSTEM_FILES.find((name) => existsSync(join(cwd, name)));
  if (existing) throw new NodeclusterError('E_FILE_EXISTS', { file: join(cwd, existing) });
  const file = join(cwd, ECOSYSTEM_FILES[0]);
  const text = ecosystemTemplate({ packageJson: readPackageJson(cwd), directory: cwd });
  if (text === null) throw new NodeclusterError('E_INIT_NOTHING', { directory: cwd });
  writeNewFile(file, text);
  print(`Wrote ${maskLine(file)}. Check it, then run: nodecluster start`);
  return 0;
}

/**
 * @param {string} file
 * @param {string} text
 * @throws {NodeclusterError} E_FILE_EXISTS, E_FILE_UNWRITABLE
 */
function writeNewFile(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    const code = reason === 'EEXIST' ? 'E_FILE_EXISTS' : 'E_FILE_UNWRITABLE';
    throw new NodeclusterError(code, { file, reason }, error);
  }
}
