/** `web --record`: watches for a while and writes one file to send. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { formatDuration } from '../../shared/units.js';
import { recordWeb } from './record.js';
import { interruption } from '../../cli/actions/interruption.js';
import { writeFile } from '../../cli/actions/write/file.js';
import { openHome } from './open-home.js';

/** @import { Context } from '../../cli/context.js' */

/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_NO_APPS, E_FILE_UNWRITABLE
 */
export async function recordPage(context) {
  const { options, note, print, cwd } = context;
  const time = new Date().toISOString().slice(0, 16).replace(':', '-');
  const file = path.resolve(cwd, options.output ?? `nodecluster-${time}.html`);
  assertWritable(path.dirname(file));
  const paths = await openHome(context);
  note(`Recording for ${formatDuration(options.record)}. Press Ctrl-C to end it now.`);
  const html = await recordWeb(paths, options.record, interruption());
  await writeFile(file, html, { force: true, isPrivate: true });
  note(
    'The file has log lines and settings of the apps; values that look like secrets are masked.',
  );
  print(file);
  return 0;
}

/** Before ten minutes are recorded for nothing. @param {string} directory */
function assertWritable(directory) {
  try {
    accessSync(directory, constants.W_OK);
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new NodeclusterError('E_FILE_UNWRITABLE', { file: directory, reason }, error);
  }
}
