import { usageError } from '../../errors/error.js';
import { showDaemonLog, showLogs } from '../show-logs.js';
import { appsArgument, jsonOption, sinceOption, untilOption } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'show recent log lines, then follow',
  details:
    'Each line starts with the app and the worker: `api:0 | message`; `!` instead of `|` marks ' +
    'stderr. Without arguments it shows all apps. Press Ctrl-C to stop.',
  arguments: [{ ...appsArgument, name: '[apps...]' }],
  options: [
    {
      flags: '-n, --lines <n>',
      summary: 'number of past lines to show for each app (default: 15)',
      parse: parseWholeNumber,
    },
    {
      ...sinceOption,
      summary: 'show only lines written since then: 10m, 22:20 (local time), 2026-11-26T22:20:00Z',
    },
    { ...untilOption, summary: 'show only lines written until then, and exit' },
    { flags: '--out', summary: 'show only stdout' },
    { flags: '--err', summary: 'show only stderr' },
    {
      flags: '--grep <regex>',
      summary:
        'show only messages that match, and the indented lines after them; /regex/i ignores case',
      parse: parseExpression,
    },
    { flags: '--highlight <text>', summary: 'mark this text in the messages, on a terminal' },
    { flags: '--timestamp', summary: 'show the time of each line, in UTC' },
    { flags: '--raw', summary: 'show only the messages, as the programs wrote them' },
    { ...jsonOption, summary: 'print each line as a JSON object' },
    { flags: '--format', summary: 'print each line as key=value pairs (logfmt)' },
    {
      flags: '--no-follow',
      summary: 'exit after the existing lines',
      pm2: [{ flags: '--nostream', value: false }, { flags: '-f, --follow' }],
    },
    { flags: '--daemon', summary: "show the daemon's own log: what it decided and why" },
  ],
  examples: [
    'nodecluster logs',
    'nodecluster logs api:1 --lines 100 --timestamp',
    'nodecluster logs --err --since 10m --no-follow',
    'nodecluster logs --since 22:20 --until 22:25',
    'nodecluster logs api --grep "/timeout/i"',
    'nodecluster logs --daemon',
  ],
};

/** @type {Run} */
export function run(context) {
  const { options, words } = context;
  const [first, second] = ['raw', 'json', 'format'].filter((key) => options[key]);
  if (second) throw usageError('logs', `--${first} and --${second} cannot be combined`);
  if (!options.daemon) return showLogs(context);
  if (words.length > 0) throw usageError('logs', '--daemon shows a single log, so it takes no app');
  return showDaemonLog(context);
}

/** @param {string} text */
function parseWholeNumber(text) {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError('It must be a number from 0 up');
  return Number(text);
}

/** @param {string} text */
function parseExpression(text) {
  const [, source = text, flags = ''] = /^\/(.+)\/(i?)$/.exec(text) ?? [];
  try {
    return new RegExp(source, flags);
  } catch (error) {
    // V8's message repeats the pattern: `Invalid regular expression: /(/: Unterminated group`.
    throw new RangeError(/** @type {Error} */ (error).message.replace(/^.*: /s, ''));
  }
}
