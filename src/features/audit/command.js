/** `audit`: who gave which command. */
import { join } from 'node:path';
import { MergedLogs } from '../../api/logs/merged-logs.js';
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { jsonOption, sinceOption, untilOption } from '../../show/command-options.js';
import { escapeText, jsonLine } from '../../show/escape.js';
import { formatTime } from '../../show/quantity.js';
import { paint, wrapText } from '../../show/terminal/palette.js';
import { AUDIT_LOG, isLoss, textOf } from './show.js';

/**
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { AuditRecord } from './show.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show who gave which command',
  details:
    'When an app was reloaded, stopped or deleted, and you want to know by whom: each command that may ' +
    'change something, with the user, the user who logged in and the directory, as Linux ' +
    'says of the process that sent it. A command that was refused has a second line.',
  arguments: [],
  options: [
    { ...sinceOption, summary: 'only those since then: 10m, 22:20 (local time)' },
    untilOption,
    { ...jsonOption, summary: 'print each line as a JSON object' },
  ],
  examples: ['nodecluster audit', 'nodecluster audit --since 2h', 'nodecluster audit --json'],
};

/** @type {Run} */
export async function run({ options, daemons, stdout, note, write }) {
  const { since = -Infinity, until = Infinity, json } = options;
  const isAsked = (/** @type {AuditRecord} */ record, /** @type {number} */ time) =>
    isLoss(record) || (time >= since && time <= until);
  const logs = new MergedLogs({
    past: { lines: Infinity, sinceMs: null },
    follows: false,
    warn: ({ message }) => note(escapeText(message)),
  });
  const path = join(daemons.home, AUDIT_LOG);
  await logs.open([{ path, owner: 'the audit', read: readDaemonLine, accepts: () => true }]);
  let count = 0;
  for await (const batch of logs.batches()) {
    for (const { record, time } of batch) {
      const found = /** @type {AuditRecord | null} */ (record);
      if (!found || time === null || !isAsked(found, time)) continue;
      count += 1;
      if (!(await write(`${json ? jsonLine(found) : lineOf(found, stdout)}\n`))) return 0;
    }
  }
  if (count === 0) note('No such command was found.');
  return 0;
}

/** @param {AuditRecord} record @param {Terminal} terminal */
function lineOf(record, terminal) {
  const { dim, red } = paint(terminal);
  const text = textOf(record);
  const time = `${dim(formatTime(Date.parse(record.time)))} `;
  return wrapText(isLoss(record) || record.refused ? red(text) : text, terminal.width, time);
}
