/**
 * What the commands that only PM2 has answer: why nothing is needed, or what to type instead.
 * The snapshot of test/cli/commands.test.js has each, test/cli/program.test.js the command lines with arguments.
 */

const NO_SERVICE =
  'It has no cloud service. Use `nodecluster web`, a page in the browser, or `nodecluster metrics` for Prometheus.';
const ROTATES =
  'Log rotation is built in: each log file is rotated at 10M, and 10 of them are kept. The option log_rotate changes that.';
const SAVED = 'Every change is saved when its command ends, so nothing has to be saved.';
const REOPENS = 'When another program has moved a log file, the next line opens a new one.';
const IN_FILE =
  'Settings belong in the ecosystem file: `nodecluster init` writes one, and `nodecluster start --help --all` lists them. ' +
  'Those of pm2-logrotate are `log_rotate: {max_size: 10M, keep: 10, compress: true}`.';
const OTHERS = '`nodecluster help --all` lists its commands.';

/** By words that have the same answer. @type {Record<string, string>} */
const ANSWERS = {
  'install module:install': 'It has no modules: install the package in your app, with npm.',
  'set multiset get conf config unset': IN_FILE,
  rm: 'Use `nodecluster delete <app>`.',
  logrotate: 'It rotates log files itself; `log_rotate: false` leaves that to your own setup.',
  'reload-logs reloadLogs': REOPENS,
  'save dump': SAVED,
  inspect: 'Start the app with `--node-args --inspect`, and open chrome://inspect.',
  trigger: "Use `nodecluster send <app> <json>`: the program gets it in process.on('message').",
  sendLineToStdin: 'Use `nodecluster attach <app>`: it writes what you type to its stdin.',
  deploy:
    'Upload a release with rsync, git or your CI, point a `current` link at it, and run `nodecluster reload <file>`; the `deploy` section of an ecosystem file is not read.',
  rollback:
    'Put the files of the last release back (point the `current` link at it, or `git checkout` it), and run `nodecluster reload <file>`.',
  'pull forward backward':
    'It does not manage repositories. Update the code with git, then reload the app: `nodecluster reload <app>`.',
  'pm2-runtime pm2-docker':
    'Use `nodecluster run <app or file>`, or the command `nodecluster-runtime`, which takes the same arguments.',
  'pm2-dev dev': 'Use `nodecluster start <app> --watch`, then `nodecluster logs`.',
  'plus register login logout link unlink open monitor unmonitor': NO_SERVICE,
  'profile:cpu profile:mem':
    'Use `nodecluster profile api:0 --cpu 10s` or `--heap`: one worker of an app.',
  'cleardump examples imonit prettylist slist sysinfos sysmonit deepUpdate create': OTHERS,
  'uninstall module:list module:uninstall publish module:publish package module:update': OTHERS,
  'module:generate install-otel uninstall-otel autoinstall post_update': OTHERS,
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
  const answer = isBuiltIn ? ROTATES : text;
  return { text: answer, isDone: [ROTATES, SAVED, REOPENS].includes(answer) };
}
