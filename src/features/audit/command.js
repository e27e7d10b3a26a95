/** `audit`: who gave which command. */
import { join } from 'node:path';
import { statOf } from '../../api/logs/log-files.js';
import { MergedLogs } from '../../api/logs/merged-logs.js';
import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { jsonOption, sinceOption, untilOption } from '../../show/command-options.js';
import { escapeText, jsonLine } from '../../show/escape.js';
import { formatCount, formatTime } from '../../show/quantity.js';
import { paint, wrapText } from '../../show/terminal/palette.js';
import { AUDIT_LOG } from './file.js';
import {
  commandsOf,
  concerns,
  isEntry,
  isLoss,
  isWithin,
  lossText,
  senderText,
  whatText,
} from './show.js';

/**
 * @import { CommandData, Run } from '../../cli/command.js'
 * @import { Context } from '../../cli/context.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { AuditRecord } from './show.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show who gave which command',
  details:
    'When an app was reloaded, stopped or deleted, and you want to know by whom: each command that may ' +
    'change something, with the user, the user who logged in, the terminal, the process, the command line ' +
    'that sent it and the one that started that. The client says its own process; the rest is what Linux ' +
    'says of that process.',
  arguments: [
    {
      name: '[apps...]',
      summary: 'only commands on these: names, name:slot, also of deleted apps',
    },
  ],
  options: [
    { ...sinceOption, summary: 'only those since then: 10m, 22:20 (local time)' },
    untilOption,
    { ...jsonOption, summary: 'print each command as a JSON object' },
  ],
  examples: ['nodecluster audit', 'nodecluster audit shop --since 2h', 'nodecluster audit --json'],
};

/** @type {Run} */
export async function run(context) {
  const { words, options, stdout, note, write } = context;
  // First of all: this home may not be entered.
  const lost = await lostNow(context);
  const { records, others, problems } = await readRecords(context);
  if (lost !== null) records.push(lost);
  const { since = -Infinity, until = Infinity } = options;
  const shown = commandsOf(records).filter(
    (record) => isWithin(record, since, until) && concerns(record, words),
  );
  const lineOf = options.json
    ? jsonLine
    : (/** @type {AuditRecord} */ record) => textOf(record, stdout);
  for (const record of shown) {
    if (!(await write(`${lineOf(record)}\n`))) break;
  }
  if (others > 0) note(`${formatCount(others, 'line')} of ${AUDIT_LOG} could not be understood.`);
  for (const { message } of shown.length > 0 ? problems : []) note(escapeText(message));
  if (shown.length === 0) sayNone(context, records, problems);
  return 0;
}

/** @param {Context} context @param {readonly AuditRecord[]} records @param {readonly NodeclusterError[]} problems */
function sayNone({ note }, records, [problem]) {
  // What could not be read may have them.
  if (problem) throw problem;
  note(records.length === 0 ? 'No command has been kept yet.' : 'No such command was found.');
}

/** @param {Context} context @returns {Promise<AuditRecord | null>} entries that audit.log does not have yet, in its form */
async function lostNow({ daemons, note }) {
  try {
    const client = await daemons.find();
    const reply = await client?.request('audit-lost', {});
    const time = new Date().toISOString();
    return reply?.lost ? { time, level: 'warn', event: 'log.lost', ...reply.lost } : null;
  } catch (thrown) {
    const { exitCode, message } = NodeclusterError.from(thrown);
    if (exitCode === exitCodes.environment) throw thrown;
    note(escapeText(`Entries may be missing: ${message}`));
    return null;
  } finally {
    daemons.close();
  }
}

/** @param {Context} context others: lines that are not entries */
async function readRecords({ daemons }) {
  /** @type {NodeclusterError[]} */
  const problems = [];
  const logs = new MergedLogs({
    past: { lines: Infinity, sinceMs: null },
    follows: false,
    warn: (problem) => void problems.push(problem),
  });
  const path = join(daemons.home, AUDIT_LOG);
  if ((await statOf(path))?.isFile() === false) {
    const reason = 'it is not a regular file';
    problems.push(new NodeclusterError('E_LOG_UNREADABLE', { file: path, reason }));
  }
  await logs.open([{ path, owner: 'the audit', read: readDaemonLine, accepts: () => true }]);
  /** @type {AuditRecord[]} */
  const records = [];
  let others = 0;
  for await (const batch of logs.batches()) {
    for (const { record, message } of batch) {
      if (isEntry(record)) records.push(record);
      // One is before each entry that says what is lost.
      else if (message !== '') others += 1;
    }
  }
  return { records, others, problems };
}

/** @param {AuditRecord} record @param {Terminal} terminal */
function textOf(record, terminal) {
  const { dim, bold, red } = paint(terminal);
  const time = `${dim(formatTime(Date.parse(record.time)))} `;
  if (isLoss(record)) return wrapText(red(lossText(record)), terminal.width, time);
  const what = (record.refused ? red : bold)(whatText(record));
  return wrapText(`${what} ${senderText(record)}`, terminal.width, time);
}
