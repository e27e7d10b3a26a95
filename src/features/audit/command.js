/** `audit`: who gave which command. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MergedLogs } from '../../api/logs/merged-logs.js';
import { renderJson } from '../../cli/render/log-entry.js';
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { jsonOption, sinceOption, untilOption } from '../../show/command-options.js';
import { escapeText } from '../../show/escape.js';
import { paint, wrapText } from '../../show/terminal/palette.js';
import { AUDIT_LOG } from './file.js';
import { senderText, whatText } from './show.js';
import { isoTime } from '../../api/logs/log-source.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show who gave which command',
  details:
    'When an app was reloaded, stopped or deleted, and you want to know by whom: each command that may ' +
    'change something, with the user, the user who logged in, the terminal, the process and the command ' +
    'line that sent it. The client says its own process; the rest is what Linux says of that process.',
  arguments: [],
  options: [
    { ...sinceOption, summary: 'only those since then: 10m, 22:20 (local time)' },
    untilOption,
    { flags: '--follow', summary: 'go on with new ones' },
    { ...jsonOption, summary: 'print each as a JSON object, as it stands in audit.log' },
  ],
  examples: ['nodecluster audit', 'nodecluster audit --since 2h', 'nodecluster audit --json'],
};

/** @type {Run} */
export async function run({ options, stdout, daemons, note, write }) {
  const path = join(daemons.home, AUDIT_LOG);
  if (!existsSync(path)) {
    note('No command has been kept yet.');
    return 0;
  }
  const { since = null, until = Infinity, follow = false } = options;
  const logs = new MergedLogs({
    past: { lines: Infinity, sinceMs: since },
    follows: follow,
    warn: ({ message }) => note(escapeText(message)),
  });
  const accepts = (/** @type {Entry} */ { time }) => time === null || time <= until;
  await logs.open([{ path, owner: 'the audit', read: readDaemonLine, accepts }]);
  if (logs.isEmpty && !follow) note('No command was given in that time.');
  for await (const batch of logs.batches()) {
    const lines = batch.map((entry) =>
      options.json ? renderJson(entry) : renderEntry(entry, stdout),
    );
    if (!(await write(lines.map((line) => `${line}\n`).join('')))) break;
  }
  return 0;
}

/** @param {Entry} entry @param {Terminal} terminal */
function renderEntry({ time, message, record }, terminal) {
  if (!record) return escapeText(message);
  const { dim, bold, red } = paint(terminal);
  const what = record.refused ? red(whatText(record)) : bold(whatText(record));
  return wrapText(
    `${dim(isoTime(time) ?? '')} ${what} ${escapeText(senderText(record))}`,
    terminal.width,
  );
}
