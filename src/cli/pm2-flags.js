/** Flags of PM2's commands that no option here stands for: accepted without effect, or refused with advice. */
import { NodeclusterError } from '../errors/error.js';

/**
 * @import { Pm2Name } from '../config/options/option.js'
 *
 * @typedef {object} Own
 * @property {readonly string[]} [on] the commands; all by default
 * @property {string} [means] the option that it stands for, in camelCase
 * @property {readonly string[]} [words] that it stands for
 *
 * @typedef {Own & Omit<Pm2Name, 'keys'> & {flags: string}} Pm2Flag
 */

const GIT = 'nodecluster does not inspect repositories';
const DOWN = 'a stopped app is not watched';
const LOCK = 'no command has to be overridden';

const FOREGROUND = 'it runs in the foreground, and ends with its apps';

const STARTING = ['start', 'run', 'restart', 'reload', 'apply'];
const CHANGING = ['stop', 'restart', 'reload', 'delete'];

/** @type {readonly Pm2Flag[]} one row for each flag */
const FLAGS = [
  { flags: '--no-daemon', on: ['run'], note: FOREGROUND },
  { flags: '--auto-exit', on: ['run'], note: FOREGROUND },
  {
    flags: '--no-auto-exit',
    on: ['run'],
    advice: 'It ends when no app is left that can run, so that the orchestrator notices.',
  },
  { flags: '--formatted', on: ['run'], note: 'lines name their worker; --time adds the time' },
  {
    flags: '--format',
    on: ['run'],
    advice: 'Use --json: it writes each line as an object.',
  },
  {
    flags: '--delay <seconds>',
    on: ['run'],
    advice: 'Nothing is started late; `depends_on` in a file starts an app after others.',
  },
  ...ofTelemetry(['run'], ['--secret <key>', '--public <key>', '--machine-name <name>']),
  {
    flags: '--web [port]',
    on: ['run'],
    advice: 'Use --listen <address>: it serves probes and metrics.',
  },
  { flags: '-f, --force', on: [...CHANGING, 'apply', 'kill', 'save'], note: LOCK },
  { flags: '--attach', on: STARTING, note: '`nodecluster logs <app>` follows the output' },
  { flags: '--no-vizion', on: STARTING, note: GIT },
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
  { flags: '-w, --write', on: STARTING, note: '`nodecluster init` writes an ecosystem file' },
  {
    flags: '--no-daemon',
    on: ['start', 'restart', 'reload', 'apply'],
    advice:
      'Apps run in the background; `nodecluster logs` follows their output. `nodecluster run <program>` runs one in the foreground.',
  },
  {
    flags: '--no-autostart',
    on: STARTING,
    advice: 'Every app of a file is started; choose some with --only.',
  },
  {
    flags: '--port <port>',
    on: STARTING,
    advice: 'Use `--set-env PORT=<port>`. Options for the program itself go after --.',
  },
  {
    flags: '--hp <home>',
    advice: 'Set the home directory with the variable NODECLUSTER_HOME.',
  },
  { flags: '--wait-ip', on: ['startup'], note: 'the unit waits for the network' },
  {
    flags: '--service-name <name>',
    on: ['startup', 'unstartup'],
    note: 'the name is made of the user and the home directory',
  },
  ...ofTelemetry(['serve'], ['--monitor']),
  { flags: '--ftp', on: ['serve'], advice: 'It does not list directories.' },
  { flags: '--watch', on: ['stop', 'delete'], note: DOWN },
  { flags: '--all', on: CHANGING, words: ['all'] },
  { flags: '--all', on: ['kill'], note: 'kill stops every app' },
  { flags: '--tail <n>', on: ['logs'], advice: 'Use --lines <n>.' },
  { flags: '-m, --mini-list' },
  // These stay in the options: context.js and main.js read them.
  { flags: '-s, --silent', means: 'silent' },
  { flags: '--color' },
  { flags: '--no-color' },
];

/** @param {string[]} on @param {string[]} flags @returns {Pm2Flag[]} */
function ofTelemetry(on, flags) {
  return flags.map((each) => ({
    flags: each,
    on,
    note: 'nodecluster does not send metrics anywhere',
  }));
}

/** Flags that PM2 accepts before the command. */
const BEFORE_COMMAND = ['-s', '--silent', '-m', '--mini-list', '--color', '--no-color', '--json'];

/**
 * @param {readonly string[]} args
 * @returns {string[]} with the flags that stand before the command behind it, and without the
 *   `simple` of `init simple`: there is only one template
 */
export function commandFirst(args) {
  const at = args.findIndex((arg) => !BEFORE_COMMAND.includes(arg));
  if (at === -1) return [...args];
  const [command, ...rest] = args.slice(at);
  const isTemplate = ['init', 'ecosystem'].includes(command) && rest[0] === 'simple';
  return [command, ...args.slice(0, at), ...(isTemplate ? rest.slice(1) : rest)];
}

/**
 * PM2 takes all words after it, which would be programs or worker ids here.
 * @param {readonly string[]} args
 * @throws {NodeclusterError} E_USAGE
 */
export function assertOneList(args) {
  const found = /(--stop-exit(?:-codes)?)[\n=](\d+,?(?:\n\d+,?)+)(?:\n|$)/.exec(args.join('\n'));
  if (!found) return;
  const codes = found[2].match(/\d+/g) ?? [];
  throw new NodeclusterError('E_USAGE', {
    detail: `${found[1]} takes one list, not ${codes.length} arguments`,
    advice: `Separate the codes with commas: \`${found[1]} ${codes.join(',')}\`.`,
  });
}

/** @param {string} command */
export function pm2FlagsOf(command) {
  return FLAGS.filter(({ on }) => on === undefined || on.includes(command));
}

/**
 * @param {{flag: Pm2Flag, value: unknown}[]} given
 * @returns {{words: string[], options: Record<string, unknown>, notes: string[]}} what they add
 * @throws {NodeclusterError} E_PM2_ONLY
 */
export function readPm2Flags(given) {
  const refused = given.find(({ flag }) => flag.advice !== undefined);
  if (refused) {
    const { flags, advice } = refused.flag;
    throw new NodeclusterError('E_PM2_ONLY', { word: longFlag(flags), advice });
  }
  const options = given.flatMap(({ flag, value }) =>
    flag.means === undefined ? [] : [[flag.means, flag.value ?? value]],
  );
  return {
    words: given.flatMap(({ flag }) => flag.words ?? []),
    options: Object.fromEntries(options),
    notes: given.flatMap(({ flag }) =>
      flag.note === undefined ? [] : [`${longFlag(flag.flags)} has no effect: ${flag.note}.`],
    ),
  };
}

/** @param {string} flags */
function longFlag(flags) {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}
