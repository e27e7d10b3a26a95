/**
 * What the commands of PM2 that nodecluster does not have answer: why nothing is needed, or what to type instead.
 * `test/cli/pm2/command-lines.js` has a row for each command line of PM2.
 */

const NO_SERVICE =
  'It has no cloud service. Use `nodecluster web`, a page in the browser, or `nodecluster metrics` for Prometheus.';
const ROTATES =
  'Log rotation is built in: each log file is rotated at 10M, and 10 of them are kept. The option log_rotate changes that.';
const IN_FILE =
  'Settings belong in the ecosystem file: `nodecluster init` writes one, and `nodecluster start --help --all` lists them.';
const FOREGROUND =
  'Use `nodecluster run <app or file>`, or the command `nodecluster-runtime`, which takes the same arguments.';

/**
 * @typedef {object} Answer
 * @property {string} text
 * @property {boolean} isDone what the command asked for is so already
 *
 * @typedef {(words: string[]) => string | Answer} Row gets the words after the command
 */

/** @type {[string | Row, string[]][]} */
const ROWS = [
  ['Every app stays saved until you remove it with `nodecluster delete <app>`.', ['cleardump']],
  [installModule, ['install', 'module:install']],
  [setModuleOption, ['set', 'multiset']],
  [IN_FILE, ['get', 'conf', 'config', 'unset', 'examples']],
  [
    'It has no modules, so there is nothing to list, remove or publish.',
    ['uninstall', 'module:list', 'module:uninstall', 'publish', 'module:publish', 'package'],
  ],
  ['It has no modules, so there is nothing to update.', ['module:update', 'module:generate']],
  [deleteInstead, ['rm']],
  [
    'It rotates log files itself (log_rotate). For your own logrotate setup use `nodecluster reload-logs`.',
    ['logrotate'],
  ],
  ['Use `nodecluster monit`.', ['imonit']],
  ['Use `nodecluster ls --json`, or `nodecluster metrics` for Prometheus.', ['slist', 'sysinfos']],
  ['Use `nodecluster metrics`: it measures every app and worker.', ['sysmonit']],
  ['Install the new version with npm, then run `nodecluster update`.', ['deepUpdate']],
  ['Use `nodecluster describe <app>` and `nodecluster logs --daemon`.', ['report']],
  ['Start the app with `--node-args --inspect`, and open chrome://inspect.', ['inspect']],
  [sendInstead, ['trigger', 'sendLineToStdin']],
  [
    'Upload a release with rsync, git or your CI, point a `current` link at it, and run `nodecluster reload <file>`; the `deploy` section of an ecosystem file is not read.',
    ['deploy'],
  ],
  [
    'It does not manage repositories. Update the code with git, then reload the app: `nodecluster reload <app>`.',
    ['pull', 'forward', 'backward'],
  ],
  ['Use `nodecluster init`: it writes an ecosystem file.', ['create']],
  [FOREGROUND, ['pm2-runtime', 'pm2-docker']],
  ['Use `nodecluster start <app> --watch`, then `nodecluster logs`.', ['pm2-dev', 'dev']],
  [NO_SERVICE, ['plus', 'register', 'login', 'logout', 'link', 'unlink', 'open']],
  [NO_SERVICE, ['monitor', 'unmonitor', 'install-otel', 'uninstall-otel']],
  [
    'Use `nodecluster profile api:0 --cpu 10s` or `--heap`: one worker of an app.',
    ['profile:cpu', 'profile:mem'],
  ],
  [
    'Nothing to install: a release of nodecluster is complete as npm installs it.',
    ['autoinstall', 'post_update'],
  ],
];

const byWord = new Map(
  ROWS.flatMap(([row, words]) => words.map((word) => [word.toLowerCase(), row])),
);

/**
 * @param {readonly string[]} args a command line, without nodecluster
 * @returns {Answer | null} null: its first word is not such a command
 */
export function pm2Answer([word = '', ...rest]) {
  const row = byWord.get(word.toLowerCase());
  if (row === undefined) return null;
  const words = rest.filter((each) => !each.startsWith('-'));
  const answer = typeof row === 'string' ? row : row(words);
  return typeof answer === 'string' ? { text: answer, isDone: false } : answer;
}

/** @param {string} text @returns {Answer} */
function done(text) {
  return { text, isDone: true };
}

/** @type {Row} */
function installModule([name = '']) {
  if (/\blogrotate\b/.test(name)) return done(ROTATES);
  return 'It has no modules: install the package in your app, with npm.';
}

/** @type {Row} */
function deleteInstead(words) {
  return `Use \`nodecluster delete ${words.join(' ') || '<app>'}\`.`;
}

/** Settings of pm2-logrotate by their names there. */
const rotationKeys = new Map([
  ['max_size', 'max_size'],
  ['retain', 'keep'],
  ['compress', 'compress'],
]);

/** @type {Row} */
function setModuleOption([setting = '', value = '…']) {
  const [, name, ownValue] = /logrotate[:.](\w+)\s*(\S*)/.exec(setting) ?? [];
  if (name === undefined) return IN_FILE;
  const key = rotationKeys.get(name);
  return key === undefined
    ? `Log rotation is built in and has no ${name}: log_rotate has max_size, keep and compress.`
    : `Log rotation is built in. Set \`log_rotate: {${key}: ${ownValue || value}}\` in the ecosystem file.`;
}

/** @type {Row} */
function sendInstead([app = '<app>', ...message]) {
  const text = JSON.stringify(message.join(' ') || '<message>');
  return `Use \`nodecluster send ${app} '${text}'\`: the program gets it in process.on('message').`;
}
