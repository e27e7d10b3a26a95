/** The programmatic interface of nodecluster. See docs/reference/api.md. */
/// <reference lib="esnext.disposable" />
import type { AppSettings, ProgramSettings } from './app-settings.js';
import type {
  App,
  AppEnvironment,
  AppOutcome,
  DaemonIdentity,
  DaemonStatus,
  Description,
  Event,
  LogRecord,
  Plan,
  ProgressEvent,
  Reason,
  Sent,
} from '../protocol/shapes.js';
import type { FeatureCalls, FeatureReloadOptions } from '../features/record.js';

export type { AppSettings, ProgramSettings } from './app-settings.js';
export type { Spec } from '../config/spec.js';
export type * from '../features/public.js';
export type {
  App,
  AppEnvironment as Environment,
  AppOutcome as Outcome,
  DaemonIdentity,
  DaemonStatus,
  Description,
  Event,
  Failure,
  Listener,
  ListenFault,
  LogRecord,
  Plan,
  PlanEntry,
  ProgressEvent as Progress,
  Reason,
  Sent,
  StackFrame,
  Status,
  Vitals,
  Worker,
} from '../protocol/shapes.js';

/**
 * Connects to the daemon of a home directory.
 * @throws NodeclusterError E_DAEMON_NOT_RUNNING with `start: false`, E_DAEMON_START, E_PROTOCOL_VERSION, E_HOME_…
 */
export function connect(options?: ConnectOptions): Promise<Nodecluster>;

/** In words that follow the name of a worker or an app: `exited with code 1`. */
export function reasonText(reason: Reason): string;

/** Every call that fails rejects with one of these; wrong arguments are a TypeError. */
export class NodeclusterError extends Error {
  /** Stays the same when the wording of the message changes. See docs/reference/errors.md. */
  readonly code: string;
  readonly data: Record<string, unknown>;
  readonly exitCode: number;
  readonly hint: string | null;
}

export interface ConnectOptions {
  /** Default: NODECLUSTER_HOME, or ~/.nodecluster. */
  home?: string;
  /** Starts a daemon if none is running. Default: true. */
  start?: boolean;
  /** Called with what is ignored in settings and files, and with logs that cannot be read. */
  onWarning?: (warning: string) => void;
  /** Called with each step of a command, as the command line prints them. */
  onProgress?: (step: ProgressEvent) => void;
}

export interface Nodecluster extends FeatureCalls, Disposable, AsyncDisposable {
  /** Of this package, and of the daemon. */
  readonly version: { client: string; daemon: string };
  ping(): Promise<DaemonStatus>;
  /** Every app and its workers; with `telemetry` also what the workers measure. */
  list(options?: { telemetry?: boolean }): Promise<App[]>;
  /** All about these apps, as `describe --json`. */
  describe(target: Selectors): Promise<Description[]>;
  /** The environment of their workers. Values that look like secrets are masked. */
  env(target: Selectors, options?: { showSecrets?: boolean }): Promise<AppEnvironment[]>;
  /** In the text format of Prometheus, as the command `metrics` prints them. */
  metrics(): Promise<string>;
  /** Starts new apps. */
  start(apps: AppSettings | readonly AppSettings[]): Promise<AppOutcome[]>;
  /** Starts an ecosystem file, a directory (its file, or its package's program), a program, or stopped apps again. */
  start(target: Target, options?: FileOptions): Promise<AppOutcome[]>;
  /** Starts a program: a path relative to the working directory, a command line, or a directory with a package. */
  start(program: string, settings?: ProgramSettings): Promise<AppOutcome[]>;
  /** With an ecosystem file: those of its apps that run here. */
  stop(target: Target, options?: Pick<FileOptions, 'env' | 'only'>): Promise<AppOutcome[]>;
  /** With an ecosystem file: applies it and restarts all its apps. */
  restart(target: Target, options?: FileOptions & ChangeOptions): Promise<AppOutcome[]>;
  /** With an ecosystem file: applies it and reloads all its apps. */
  reload(
    target: Target,
    options?: ReloadOptions & ChangeOptions & FeatureReloadOptions,
  ): Promise<AppOutcome[]>;
  /** Brings the apps of an ecosystem file in line with it, each with the least disruptive action. */
  apply(file: string, options?: ReloadOptions): Promise<AppOutcome[]>;
  /** What `apply` would do. */
  plan(file: string, options?: Omit<FileOptions, 'updateEnv'>): Promise<Plan>;
  /** `4`, `'+2'`, `'-1'` or `'max'`. */
  scale(app: Selector, instances: number | string): Promise<AppOutcome[]>;
  delete(target: Target, options?: Pick<FileOptions, 'env' | 'only'>): Promise<AppOutcome[]>;
  /** Resets the restart counters. */
  reset(target: Selectors): Promise<AppOutcome[]>;
  /** Empties the log files and deletes the rotated ones. */
  flush(target: Selectors): Promise<AppOutcome[]>;
  /** The programs receive the message with `process.on('message')`. */
  send(target: Selectors, message: unknown): Promise<Sent[]>;
  /** Sends a signal to the programs: `'SIGUSR2'`, `'USR2'` or its number. */
  signal(target: Selectors, signal: string | number): Promise<Sent[]>;
  /** Writes to the stdin of a worker, at most 64 KB. Rejects if it has none, or does not read it. */
  input(target: Selectors, text: string): Promise<void>;
  /** Stops every app and the daemon, and closes this connection. Returns the names of the apps that ran. */
  kill(): Promise<string[]>;
  /** Starts again what the last `kill` stopped. */
  resurrect(): Promise<AppOutcome[]>;
  /** Replaces the daemon by that of this package, on this Node; with `apps` also the primaries of other versions. */
  update(options?: { apps?: boolean }): Promise<Update>;
  /**
   * The lines of log files, oldest first. The files are read only as fast as you take the lines, so
   * none is skipped. Ends after the last line if `follow` is false; otherwise when you leave the loop
   * or call `close()`, also when the daemon exits.
   * @param target default: all apps, also those that are started later
   */
  logs(target?: Selectors, options?: LogOptions): Stream<LogRecord>;
  /**
   * Events from now on, or from `since` on. Ends when you leave the loop or call `close()`, with
   * `follow: false` after what has happened; throws when the daemon exits. A reader that is too slow gets `{type: 'missed', count}` for dropped events.
   */
  events(options?: { selectors?: Selectors; since?: Date; follow?: boolean }): Stream<Event>;
  /** Closes the connection and ends all streams; the apps keep running. */
  close(): void;
}

/** The same pid twice: the daemon was up to date. */
export interface Update {
  before: DaemonIdentity;
  after: DaemonIdentity;
  /** Whose primaries were replaced. */
  apps: AppOutcome[];
}

/** A Readable in object mode, for `for await`: `break` and `await using` end it. A loop that waits throws on `destroy()`. */
export interface Stream<T> extends AsyncIterable<T>, AsyncDisposable {
  destroy(): void;
}

/** A name, worker id, `name:slot`, namespace, the path of a script, `/regex/` or `all`. */
export type Selector = string | number;
export type Selectors = Selector | readonly Selector[];
/** The path of an ecosystem file, or selectors. */
export type Target = Selectors;

export interface FileOptions {
  /** Uses the variables of `env_<name>` on top of `env`; only with a file. */
  env?: string;
  /** Only these apps of the file. */
  only?: readonly string[];
  /** Deletes the apps that came from the file and are no longer in it. */
  prune?: boolean;
  /** Gives the workers the environment of this process. */
  updateEnv?: boolean;
}

export interface ReloadOptions extends FileOptions {
  /** Workers to replace at a time. */
  parallel?: number;
  onFailure?: 'keep' | 'rollback';
}

export interface ChangeOptions {
  /** Settings that the apps get, also on top of those of a file; they keep all others. */
  settings?: Omit<ProgramSettings, 'name'>;
}

export interface LogOptions {
  /** Whether new lines follow the past ones. Default: true. */
  follow?: boolean;
  /** Number of past lines of each log file. Default: 15, or all with `since`. */
  lines?: number;
  /** No line written before this time. */
  since?: Date;
  /** Default: both. */
  stream?: 'out' | 'error';
  /** Only messages that match, and the indented lines after them. */
  grep?: RegExp;
}
