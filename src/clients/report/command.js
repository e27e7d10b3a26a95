/** `report`: one file for a bug report. */
import { resolveFrom } from '../../shared/files/inspect-path.js';
import { writeFile } from '../../shared/files/write-file.js';
import { formatSize } from '../../shared/units.js';
import { escapeText } from '../../show/escape.js';
import { gather } from './gather.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'write a file for a bug report, with secrets masked',
  details:
    'When you report a bug: versions, what ls, describe, why, events and doctor show, the end of the logs of nodecluster ' +
    '(not those of programs), its processes and files, settings and limits, in one text file in the current directory, which only you can read. ' +
    'Read it before you send it: secrets are found by their names and forms, and one without either is not. ' +
    'It works without a daemon and starts none.',
  arguments: [],
  options: [{ flags: '--print', summary: 'print what it would contain, and write no file' }],
  examples: ['nodecluster report --print | less', 'nodecluster report'],
};

/** @type {Run} */
export async function run(context) {
  const { options, cwd, note, print, write } = context;
  const parts = (await gather(context)).map(({ name, text }) => {
    const size = formatSize(Buffer.byteLength(text));
    return `==> ${size} ${escapeText(name)}\n${escapeText(text)}\n`;
  });
  if (options.print) {
    for (const part of parts) await write(part);
    return 0;
  }
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const file = resolveFrom(cwd, `nodecluster-report-${time}-${process.pid}.txt`);
  await writeFile(file, parts.join(''), { force: false, isPrivate: true });
  print(escapeText(file));
  note('Secrets that nodecluster knows are masked. Read it before you send it.');
  return 0;
}
