/** What is wrong with a command line, and what may have been meant. */
import { NodeclusterError } from '../errors/error.js';
import { findCommand } from './commands.js';

/** @import { CommanderError } from 'commander' */

/** @param {CommanderError} error @param {readonly string[]} args the command line */
export function usageError({ code, message }, args) {
  const [word = ''] = args;
  const [first, rest = ''] = message.replace(/^error: /, '').split('\n');
  const command = findCommand(word)?.name;
  const pm2 = command ? null : pm2Answer(args);
  if (pm2) return new NodeclusterError('E_PM2_ONLY', { word, advice: pm2.text });
  const looksLikeProgram = code === 'commander.unknownCommand' && /[./]/.test(word);
  const [, similar] = /Did you mean (?:one of )?(.*)\?/.exec(rest) ?? [];
  return new NodeclusterError('E_USAGE', {
    detail: `${first[0].toUpperCase()}${first.slice(1).replace(/\.$/, '')}`,
    command,
    suggestion: looksLikeProgram ? `\`nodecluster start ${word}\`` : similar,
    forProgram: code === 'commander.unknownOption' && command === 'start',
  });
}

/*
 * What the commands that only PM2 has answer: why nothing is needed, or what to type instead.
 * The snapshot of test/cli/commands.test.js has each, test/cli/program.test.js the command lines with arguments.
 */
const NO_SERVICE =
  'It has no cloud service. Use `nodecluster web`, a page in the browser, or `nodecluster metrics` for Prometheus.';
const ROTATES =
  'Log rotation is built in: each log file is rotated at 10M, and 10 of them are kept. The option log_rotate changes that.';
const REOPENS = 'When another program has moved a log file, the next line opens a new one.';
const IN_FILE =
  'Settings belong in the ecosystem file: `nodecluster init` writes one, and `nodecluster start --help --all` lists them. ' +
  'Those of pm2-logrotate are `log_rotate: {max_size: 10M, keep: 10, compress: true}`.';
const FOREGROUND =
  'Use `nodecluster run <app or file>`, or the command `nodecluster-runtime`, which takes the same arguments.';

/** By words that have the same answer. @type {Record<string, string>} */
const ANSWERS = {
  cleardump: 'Every app stays saved until you remove it with `nodecluster delete <app>`.',
  'install module:install': 'It has no modules: install the package in your app, with npm.',
  'set multiset get conf config unset': IN_FILE,
  examples: 'Use `nodecluster help --all`, or `nodecluster <command> --help`.',
  'uninstall module:list module:uninstall publish module:publish package module:update module:generate':
    'It has no modules, so there is nothing to list, update, remove or publish.',
  rm: 'Use `nodecluster delete <app>`.',
  logrotate:
    'It rotates log files itself (log_rotate). With `log_rotate: false`, your own logrotate setup can do so.',
  'reload-logs reloadLogs': REOPENS,
  imonit: 'Use `nodecluster monit`.',
  prettylist: 'Use `nodecluster jlist | jq`.',
  'slist sysinfos': 'Use `nodecluster ls --json`, or `nodecluster metrics` for Prometheus.',
  sysmonit: 'Use `nodecluster metrics`: it measures every app and worker.',
  deepUpdate: 'Install the new version with npm, then run `nodecluster update`.',
  inspect: 'Start the app with `--node-args --inspect`, and open chrome://inspect.',
  trigger: "Use `nodecluster send <app> <json>`: the program gets it in process.on('message').",
  sendLineToStdin:
    'Use `nodecluster attach <app>`: it writes what you type, or a pipe, to its stdin.',
  deploy:
    'Upload a release with rsync, git or your CI, point a `current` link at it, and run `nodecluster reload <file>`; the `deploy` section of an ecosystem file is not read.',
  rollback:
    'Put the files of the last release back (point the `current` link at it, or `git checkout` it), and run `nodecluster reload <file>`.',
  'pull forward backward':
    'It does not manage repositories. Update the code with git, then reload the app: `nodecluster reload <app>`.',
  create: 'Use `nodecluster init`: it writes an ecosystem file.',
  'pm2-runtime pm2-docker': FOREGROUND,
  'pm2-dev dev': 'Use `nodecluster start <app> --watch`, then `nodecluster logs`.',
  'plus register login logout link unlink open monitor unmonitor': NO_SERVICE,
  'install-otel uninstall-otel': 'Use `nodecluster metrics --otlp <url>`.',
  'profile:cpu profile:mem':
    'Use `nodecluster profile api:0 --cpu 10s` or `--heap`: one worker of an app.',
  'autoinstall post_update':
    'Nothing to install: a release of nodecluster is complete as npm installs it.',
};

const byWord = new Map(
  Object.entries(ANSWERS).flatMap(([words, answer]) =>
    words.split(' ').map((word) => [word.toLowerCase(), answer]),
  ),
);

/**
 * Null: the first word is not such a command.
 * @param {readonly string[]} args a command line, without nodecluster
 * @returns {{text: string, isDone: boolean} | null} isDone: what it asked for is so already
 */
export function pm2Answer([word = '', ...rest]) {
  const text = byWord.get(word.toLowerCase());
  if (text === undefined) return null;
  const isBuiltIn = /install$/i.test(word) && rest.some((each) => /\blogrotate\b/.test(each));
  return isBuiltIn ? { text: ROTATES, isDone: true } : { text, isDone: text === REOPENS };
}
