/** `report`: one archive for a bug report. */
import { resolveFrom } from '../../shared/files/inspect-path.js';
import { writeFile } from '../../shared/files/write-file.js';
import { formatSize } from '../../shared/units.js';
import { escapeText } from '../../show/escape.js';
import { archiveOf } from './archive.js';
import { gather } from './gather.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'write an archive for a bug report, with secrets masked',
  details:
    'When you report a bug: versions, what ls, describe, why, events and doctor show, the end of the logs of nodecluster ' +
    '(not those of programs), its processes and files, settings and limits, in one .tar.gz in the current directory, which only you can read. ' +
    'Look at it before you send it: secrets are found by their names and forms, and one without either is not. ' +
    'It works without a daemon and starts none.',
  arguments: [],
  options: [{ flags: '--print', summary: 'print what it would contain, and write no file' }],
  examples: ['nodecluster report --print | less', 'nodecluster report'],
};

/** @type {Run} */
export async function run(context) {
  const { options, cwd, note, print, write } = context;
  const entries = await gather(context);
  const sizes = entries.map(({ name, text }) => `${formatSize(Buffer.byteLength(text))} ${name}`);
  if (options.print) {
    for (const [index, { text }] of entries.entries()) {
      await write(`==> ${escapeText(sizes[index])}\n${escapeText(text)}\n`);
    }
    return 0;
  }
  const now = Date.now();
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const name = `nodecluster-report-${time}-${process.pid}`;
  const file = resolveFrom(cwd, `${name}.tar.gz`);
  await writeFile(file, archiveOf(name, entries, now), { force: false, isPrivate: true });
  print(escapeText(file));
  note('Secrets that nodecluster knows are masked. Look at it before you send it.');
  return 0;
}
