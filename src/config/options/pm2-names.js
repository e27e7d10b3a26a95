/** Keys and flags that PM2 has and that no option here stands for: accepted without effect, or refused with advice. */

/** @import { Pm2Name } from './option.js' */

const GIT = 'nodecluster does not inspect repositories';
const TELEMETRY = 'nodecluster does not send metrics anywhere';
const FOREGROUND = 'it runs in the foreground, and ends with its apps';

const STARTING = ['start', 'run', 'restart', 'reload', 'apply'];
const CHANGING = ['stop', 'restart', 'reload', 'delete'];

/** @type {readonly Pm2Name[]} */
export const pm2Names = [
  {
    keys: ['autostart'],
    flags: '--no-autostart',
    on: STARTING,
    advice: 'all apps are started; select some with --only',
  },
  {
    keys: ['force'],
    flags: '-f, --force',
    on: ['start', 'run'],
    note: 'a second copy of what runs needs another --name',
  },
  { keys: ['vizion'], flags: '--no-vizion', on: STARTING, note: GIT },
  { keys: ['post_update', 'install_url', 'ref', 'repo'], advice: GIT },
  { keys: ['pmx', 'automation', 'disable_trace', 'io', 'instance_id', 'pm_id'], note: TELEMETRY },
  { keys: ['trace', 'v8', 'event_loop_inspector', 'deep_monitoring'], advice: TELEMETRY },
  ...ofTelemetry(STARTING, [
    '--no-pmx',
    '--no-automation',
    '--trace',
    '--disable-trace',
    '--v8',
    '--event-loop-inspector',
    '--deep-monitoring',
    '--instance-id [name]',
  ]),
  ...ofTelemetry(['run'], ['--secret <key>', '--public <key>', '--machine-name <name>']),
  ...ofTelemetry(['serve'], ['--monitor']),
  { keys: ['windows_hide'], note: 'it is for Windows' },
  { keys: ['write'], flags: '-w, --write', on: STARTING, note: '`init` writes a file' },
  { flags: '--no-daemon', on: ['run'], note: FOREGROUND },
  { flags: '--auto-exit', on: ['run'], note: FOREGROUND },
  { flags: '--no-auto-exit', on: ['run'], advice: 'it ends, so that the orchestrator notices' },
  { flags: '--formatted', on: ['run'], note: 'lines name their worker; --time adds the time' },
  { flags: '--format', on: ['run', 'logs'], advice: 'use --json' },
  { flags: '--highlight <text>', on: ['logs'], advice: 'use --grep: it shows only what matches' },
  { flags: '--parallel <n>', on: ['restart', 'start'], note: '`reload` has --parallel' },
  { flags: '--delay <seconds>', on: ['run'], advice: '`depends_on` starts an app after others' },
  { flags: '--web [port]', on: ['run'], advice: 'use --listen <address>' },
  {
    flags: '-f, --force',
    on: [...CHANGING, 'apply', 'kill'],
    note: 'no command has to be overridden',
  },
  { flags: '--attach', on: STARTING, note: '`nodecluster logs <app>` follows the output' },
  {
    flags: '--no-daemon',
    on: ['start', 'restart', 'reload', 'apply'],
    advice:
      'apps run in the background; `nodecluster logs` follows their output, and `nodecluster run <program>` runs one in the foreground',
  },
  { flags: '--no-wait', on: STARTING, advice: 'Ctrl-C ends the waiting, and the work goes on' },
  {
    flags: '--port <port>',
    on: STARTING,
    advice: 'use `--set-env PORT=<port>`; options for the program itself go after --',
  },
  { flags: '--hp <home>', advice: 'set the home directory with the variable NODECLUSTER_HOME' },
  { flags: '--wait-ip', on: ['startup'], note: 'the unit waits for the network' },
  {
    flags: '--service-name <name>',
    on: ['startup', 'unstartup'],
    note: 'the name is made of the user and the home directory',
  },
  { flags: '--ftp', on: ['serve'], advice: 'it does not list directories' },
  { flags: '--watch', on: ['stop', 'delete'], note: 'a stopped app is not watched' },
  { flags: '--all', on: CHANGING, words: ['all'] },
  { flags: '--all', on: ['kill'], note: 'kill stops every app' },
  { flags: '--tail <n>', on: ['logs'], advice: 'use --lines <n>' },
  { flags: '-m, --mini-list' },
  // These stay in the options: context.js and main.js of the command line read them.
  { flags: '-s, --silent', means: 'silent' },
  { flags: '--color' },
  { flags: '--no-color' },
];

/** @param {string[]} on @param {string[]} flags @returns {Pm2Name[]} */
function ofTelemetry(on, flags) {
  return flags.map((each) => ({ flags: each, on, note: TELEMETRY }));
}

/** Top-level sections of a file. */
export const pm2Sections = new Map([
  ['deploy', 'copy releases with another tool, point a `current` link at the new one, and reload'],
  ['static', 'use `nodecluster serve <directory> <port>`'],
]);

/** @param {Pm2Name} name @param {unknown} value @returns whether the app is the same without it */
export function changesNothing({ keys, note }, value) {
  const isEmpty =
    typeof value === 'object'
      ? Object.keys(value ?? {}).length === 0
      : [undefined, ''].includes(/** @type {any} */ (value));
  const byDefault = keys?.[0] === 'autostart';
  return note !== undefined || isEmpty || value === byDefault;
}
