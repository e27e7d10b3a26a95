import { NodeclusterError } from '../../../errors/error.js';
import { parseDuration } from '../../../shared/units.js';
import { showDaemonLog, showLogs } from '../../logs/show-logs.js';
import { jsonOption } from '../../options.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show the last log lines of apps, and then what comes',
  details:
    'Each line begins with the app and the worker: `api:0 | message`; `!` in place of `|` is stderr.\nWithout arguments the lines of all apps. Ctrl-C ends it.',
  arguments: [
    { name: '[apps...]', summary: 'names, worker ids, name:slot, namespaces, /regex/ or all' },
  ],
  options: [
    {
      flags: '--lines <n>',
      summary: 'so many lines of each app before what comes (default: 15)',
      parse: wholeNumber,
    },
    { flags: '--since <time>', summary: 'what was written since: 10m, 1h30m', parse: duration },
    { flags: '--out', summary: 'only stdout' },
    { flags: '--err', summary: 'only stderr' },
    {
      flags: '--grep <regex>',
      summary: 'only messages that match; /regex/i whatever the case',
      parse: expression,
    },
    { flags: '--timestamp', summary: 'show the time of each line' },
    { flags: '--raw', summary: 'the messages alone, as the programs wrote them' },
    { ...jsonOption, summary: 'each line as a JSON object' },
    { flags: '--no-follow', summary: 'end after the lines that are there' },
    { flags: '--daemon', summary: "the daemon's own log: what it decided, and why" },
  ],
  examples: [
    'nodecluster logs',
    'nodecluster logs api:1 --lines 100 --timestamp',
    'nodecluster logs --err --since 10m --no-follow',
    'nodecluster logs api --grep "/timeout/i"',
    'nodecluster logs --daemon',
  ],
};

/** @param {Context} context */
export function run(context) {
  const { options, words } = context;
  if (options.raw && options.json) throw usage('--raw and --json cannot both be given');
  if (!options.daemon) return showLogs(context);
  if (words.length > 0) throw usage('--daemon shows one log, so no app can be named');
  return showDaemonLog(context);
}

/** @param {string} detail */
function usage(detail) {
  return new NodeclusterError('E_USAGE', { detail, command: 'logs' });
}

/** @param {string} text */
function wholeNumber(text) {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError('It must be a number from 0 up');
  return Number(text);
}

/** @param {string} text */
function duration(text) {
  const ms = parseDuration(text);
  if (ms === null || /^\d+$/.test(text)) {
    throw new RangeError('It must be a duration such as 30s, 10m or 2h');
  }
  return ms;
}

/** @param {string} text */
function expression(text) {
  const [, source = text, flags = ''] = /^\/(.+)\/(i?)$/.exec(text) ?? [];
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new RangeError(/** @type {Error} */ (error).message);
  }
}
