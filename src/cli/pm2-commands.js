/** What the commands of PM2 that nodecluster does not have are here. */

const KEPT =
  'Apps are kept by themselves: what runs is written down, and the next command after a boot ' +
  'brings it back. Let `nodecluster ls` run at boot.';
const ROTATED =
  'Log files are rotated by themselves: log_rotate. For a logrotate of your own see `reload-logs`.';
const NO_SERVICE =
  'nodecluster sends nothing anywhere; `nodecluster metrics` and `ls --json` are for monitoring.';
const NO_MODULES = 'nodecluster has no modules.';
const NO_KEYS = 'Settings go into the ecosystem file: `nodecluster init` writes one.';
const NO_DEPLOY =
  'Copy releases with a tool for it, point a `current` link at them, then `nodecluster reload <app>`.';
const NO_GIT = 'nodecluster does not look into repositories: update the code, then reload the app.';
const AS_RELOAD = '`nodecluster reload <app or file>` does this.';

/** @type {[string, string[]][]} */
const ADVICE = [
  [ROTATED, ['logrotate']],
  [KEPT, ['save', 'dump', 'resurrect', 'startup', 'unstartup', 'cleardump', 'autoinstall']],
  ['`nodecluster monit` does this.', ['imonit']],
  ['`nodecluster ls` does this.', ['l']],
  ['`nodecluster ls --json` does this.', ['jlist', 'prettylist', 'slist', 'sysmonit']],
  ['`nodecluster ls --json` has the pids and ids.', ['id', 'pid']],
  [AS_RELOAD, ['gracefulReload', 'gracefulreload', 'startOrReload', 'startOrGracefulReload']],
  [AS_RELOAD, ['startorreload', 'startorgracefulreload']],
  ['`nodecluster restart <file>` does this.', ['startOrRestart', 'startorrestart']],
  [
    'After an upgrade of nodecluster: `nodecluster kill`, then start the apps again.',
    ['update', 'deepUpdate'],
  ],
  ['`kill -<signal> <pid>` with a pid of `nodecluster ls` does this.', ['sendSignal']],
  ['`nodecluster env <app>` and `nodecluster describe <app>` show it.', ['inspect', 'report']],
  ['`nodecluster describe <app>` shows it.', ['desc', 'attach']],
  ['Serve files with a web server, or with an app of yours.', ['serve', 'expose']],
  [NO_DEPLOY, ['deploy']],
  [NO_GIT, ['pull', 'forward', 'backward']],
  [
    NO_SERVICE,
    [
      'plus',
      'monitor',
      'unmonitor',
      'link',
      'trigger',
      'unlink',
      'register',
      'login',
      'logout',
      'open',
      'web',
    ],
  ],
  [NO_MODULES, ['install', 'uninstall', 'publish', 'module:update', 'module:generate', 'package']],
  ['docs/configuration.md and ecosystem.example.yml show every option.', ['examples']],
  [NO_KEYS, ['set', 'multiset', 'get', 'conf', 'config', 'unset']],
  ['`node --cpu-prof` and `node --heapsnapshot-signal` do this: node_args.', ['profile']],
];

const byCommand = new Map(ADVICE.flatMap(([advice, words]) => words.map((word) => [word, advice])));

/**
 * @param {string} word where a command was expected
 * @returns {string | undefined}
 */
export function pm2CommandAdvice(word) {
  return byCommand.get(word);
}
