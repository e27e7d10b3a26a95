/** What to use instead of the PM2 commands that nodecluster does not have. */

const NO_SERVICE =
  'nodecluster has no cloud service. For monitoring use `nodecluster metrics` and `nodecluster ls --json`.';

/** @type {[string, string[]][]} */
const ADVICE = [
  [
    'nodecluster rotates log files itself (log_rotate). For your own logrotate setup use `nodecluster reload-logs`.',
    ['logrotate'],
  ],
  [
    'nodecluster saves its apps by itself, and the first command after a boot starts them again. Run `nodecluster ls` at boot.',
    ['save', 'dump', 'resurrect', 'startup', 'unstartup', 'cleardump', 'autoinstall'],
  ],
  ['Use `nodecluster monit`.', ['imonit']],
  ['Use `nodecluster ls`.', ['l']],
  ['Use `nodecluster ls --json`.', ['jlist', 'prettylist', 'slist', 'sysmonit']],
  ['Use `nodecluster ls --json`: it shows pids and worker ids.', ['id', 'pid']],
  [
    'After an upgrade of nodecluster, run `nodecluster kill` and start the apps again.',
    ['update', 'deepUpdate'],
  ],
  ['Use `kill -<signal> <pid>` with a pid from `nodecluster ls`.', ['sendSignal']],
  ['Use `nodecluster env <app>` and `nodecluster describe <app>`.', ['inspect', 'report']],
  ['Use `nodecluster describe <app>`.', ['desc', 'attach']],
  ['Serve files with a web server, or with an app of your own.', ['serve', 'expose']],
  [
    'Copy releases with a deployment tool, point a `current` link at them, then run `nodecluster reload <app>`.',
    ['deploy'],
  ],
  [
    'nodecluster does not manage repositories: update the code, then reload the app.',
    ['pull', 'forward', 'backward'],
  ],
  [NO_SERVICE, ['plus', 'monitor', 'unmonitor', 'link', 'trigger', 'unlink', 'register']],
  [NO_SERVICE, ['login', 'logout', 'open', 'web']],
  [
    'nodecluster has no modules.',
    ['install', 'uninstall', 'publish', 'module:update', 'module:generate', 'package'],
  ],
  ['docs/configuration.md and ecosystem.example.yml show every option.', ['examples']],
  [
    'Settings belong in the ecosystem file: `nodecluster init` writes one.',
    ['set', 'multiset', 'get', 'conf', 'config', 'unset'],
  ],
  ['Add `--cpu-prof` or `--heapsnapshot-signal` to node_args.', ['profile']],
];

const byCommand = new Map(ADVICE.flatMap(([advice, words]) => words.map((word) => [word, advice])));

/**
 * @param {string} word given where a command was expected
 * @returns {string | undefined}
 */
export function pm2CommandAdvice(word) {
  return byCommand.get(word);
}
