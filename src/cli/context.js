/** What a command can use: its arguments, the streams of the process, and the daemon. */
import { findDaemon, homeFinder } from '../api/find-daemon.js';
import { NodeclusterError } from '../errors/error.js';
import { ensureHome, homePaths, isHomePresent } from '../shared/home.js';
import { escapeLine, escapeText } from '../show/escape.js';
import { namesText } from '../show/quantity.js';
import { paint } from '../show/terminal/palette.js';

/**
 * @import { CommandName, DaemonClient, DaemonMethods } from '../protocol/methods.js'
 * @import { RunOrder } from '../features/run/daemon/run-apps.js'
 * @import { AppOutcome, Plan } from '../protocol/shapes.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { DaemonFinder } from '../api/feed.js'
 * @import { Invocation } from './program.js'
 * @import { Terminal } from '../show/terminal/palette.js'
 */

/**
 * @typedef {object} ProcessIO
 * @property {string} cwd as the shell names it, with symbolic links unresolved
 * @property {Record<string, string | undefined>} env
 * @property {AsyncIterable<Buffer | string>} stdin
 * @property {{input: typeof process.stdin, output: typeof process.stdout} | null} tty null: stdin or stdout is not a terminal
 * @property {Terminal} stdout
 * @property {Terminal} stderr
 * @property {(text: string) => void} print writes a result and a newline to stdout
 * @property {(text: string) => Promise<boolean>} write to stdout, with backpressure; false: the reader has closed the pipe
 * @property {(text: string) => void} note writes anything else and a newline to stderr
 * @property {(text: string) => void} status writes to a terminal what the next text takes the place of
 * @property {<T>(work: () => Promise<T>) => Promise<T>} withStdoutOnStderr for user code, which may print
 * @property {(home: string, script: string) => Promise<void>} becomeDaemon runs the daemon in this process, which then
 *   never returns; resolves when it accepts commands
 * @property {(order: RunOrder) => Promise<void>} runApps in this process, which then never returns; resolves when they start
 *
 * @typedef {DaemonFinder & {open: () => Promise<DaemonClient | null>, start: () => Promise<DaemonClient>}} Daemons
 *   open: like find, but starts a daemon if the home directory has apps; start: also if it has none
 *
 * @typedef {object} Means
 * @property {Daemons} daemons
 * @property {{isRunning: boolean}} daemonWork whether the daemon carries out a command, which Ctrl-C does not stop
 * @property {(warnings: readonly string[]) => void} warn
 * @property {() => Promise<DaemonClient>} openForApps throws E_NO_APPS
 * @property {<K extends keyof DaemonMethods>(client: DaemonClient, method: K, params: DaemonMethods[K]['params'],
 *   onPlan?: (plan: Plan) => void) => Promise<DaemonMethods[K]['result']>} request notes the progress; onPlan gets the
 *   plan before it is carried out; throws E_DAEMON_LOST, and what the daemon replies
 * @property {(name: string, given: Partial<Invocation>, io?: Partial<Context>) => Promise<number>} runCommand another command, as
 *   if it had been typed; io: in place of that of this command
 *
 * @typedef {ProcessIO & Omit<Invocation, 'run' | 'notes'> & Means} Context
 */

/** @param {Invocation} invocation @param {ProcessIO} io */
export async function makeContext(invocation, io) {
  const heard = invocation.options.silent ? { ...io, note: () => {}, status: () => {} } : io;
  return contextWith(daemonsOf(heard, await homeFinder(io.env)), invocation, heard);
}

/** @param {Daemons} daemons @param {Invocation} invocation @param {ProcessIO} io */
export function contextWith(daemons, invocation, io) {
  const { options, commands } = invocation;
  const { note, stderr } = io;
  const daemonWork = { isRunning: false };
  /** @type {Context} */
  const context = {
    ...io,
    ...invocation,
    daemons,
    daemonWork,
    warn(warnings) {
      for (const text of warnings) note(`${paint(stderr).yellow('warning:')} ${escapeText(text)}`);
    },
    async openForApps() {
      const client = await daemons.open();
      if (client) return client;
      throw new NodeclusterError('E_NO_APPS', { home: daemons.home });
    },
    request: requestWith({ daemons, daemonWork, options, ...io }),
    async runCommand(name, given, other = {}) {
      const { run } = await commands.filter((row) => row.name === name)[0].load();
      const { json, silent } = options;
      const own = { words: [], programArgs: [], ...given, command: name };
      return run({ ...context, ...other, ...own, options: { json, silent, ...given.options } });
    },
  };
  return context;
}

/** @type {(keyof DaemonMethods)[]} */
const WITHOUT_TABLE = ['kill', 'flush', 'send', 'signal'];

/** @param {Pick<Context, 'daemons' | 'daemonWork' | 'options' | 'note' | 'status' | 'stderr'>} context @returns {Context['request']} */
function requestWith({ daemons, daemonWork, options, note, status, stderr }) {
  return async (client, method, given, onPlan) => {
    const { stepPrinter } = await import('./render/steps.js');
    const printStep = stepPrinter({ note, status, stderr });
    daemonWork.isRunning = true;
    const hasTable = !WITHOUT_TABLE.includes(method) && !options.dryRun;
    try {
      const name = /** @type {CommandName} */ (method);
      const result = await client.request(name, /** @type {any} */ (given), {
        onNotification: (kind, payload) => {
          if (kind === 'plan') onPlan?.(payload);
          if (kind === 'progress') printStep(payload);
        },
      });
      const isShown = hasTable && !options.json && !options.silent;
      const table = isShown ? await recordsOf(client, result.apps) : undefined;
      return /** @type {any} */ ({ ...result, table });
    } catch (thrown) {
      if (NodeclusterError.from(thrown).code !== 'E_PROTOCOL_CLOSED') throw thrown;
      // The next one completes what was begun. The command has failed anyway, and `ls` shows why there is none.
      if (method !== 'kill') await daemons.open().catch(() => {});
      throw new NodeclusterError('E_DAEMON_LOST', { method }, thrown);
    } finally {
      daemonWork.isRunning = false;
    }
  };
}

/** For the table below the outcomes, which stand without it too. @param {DaemonClient} client @param {AppOutcome[]} outcomes */
async function recordsOf(client, outcomes) {
  // A reload that failed says itself which workers run what, and of a failed start the settings say how it goes on.
  const shown = outcomes.filter(({ action, ok }) => action !== (ok ? 'delete' : 'reload'));
  const names = shown.map(({ name }) => name);
  if (names.length === 0) return [];
  const ask = (/** @type {string[]} */ ...selectors) =>
    client.request('list', { selectors, fields: ['usage', 'details'] });
  // One of them may have been deleted meanwhile.
  const asked = ask(...names).catch(() => ask('all'));
  const { apps } = await asked.catch(() => ({ apps: [] }));
  return apps.filter(({ name }) => names.includes(name));
}

/** @param {ProcessIO} io @param {() => string} findHome */
function daemonsOf({ env, note }, findHome) {
  // Read when needed: `run` needs none, and the user of a container may have none.
  let known = '';
  const home = () => (known ||= findHome());
  /** @type {DaemonClient | null} */
  let client = null;
  /** @template {DaemonClient | null} T @param {T} connected */
  const remember = (connected) => {
    client = connected;
    connected?.once('close', () => {
      if (client === connected) client = null;
    });
    return connected;
  };
  const find = async () => {
    if (!isHomePresent(home())) return null;
    return client ?? remember(await findDaemon(ensureHome(home())));
  };
  const start = async () => remember(await startNoted(ensureHome(home()), env, note));
  return {
    get home() {
      return home();
    },
    find,
    open: async () => (await find()) ?? ((await hasApps(home())) ? start() : null),
    start: async () => (await find()) ?? start(),
    close() {
      client?.close();
      client = null;
    },
  };
}

/** @param {HomePaths} paths @param {ProcessIO['env']} env @param {ProcessIO['note']} note */
async function startNoted(paths, env, note) {
  const { recordedApps } = await import('../api/recorded-apps.js');
  const { startDaemon } = await import('../api/launch-daemon.js');
  const desired = recordedApps(paths).filter(({ isStopped }) => !isStopped);
  if (desired.length > 0) {
    const names = escapeLine(namesText(desired.map(({ name }) => name)));
    note(`The daemon was not running. Starting it; it adopts or starts ${names}.`);
  }
  return startDaemon(paths, env);
}

/** @param {string} home */
async function hasApps(home) {
  const { recordedApps } = await import('../api/recorded-apps.js');
  return recordedApps(homePaths(home)).length > 0;
}
