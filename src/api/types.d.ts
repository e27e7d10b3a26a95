/** The programmatic interface of nodecluster. See docs/api.md. */
import type { AppSettings } from './app-settings.js';
import type { AppOutcome, AppView, Event, Sent } from '../protocol/shapes.js';

export type { AppSettings } from './app-settings.js';
export type {
  AppOutcome as Outcome,
  AppView as App,
  Event,
  Failure,
  Sent,
  Status,
  Vitals,
  WorkerView as Worker,
} from '../protocol/shapes.js';

/**
 * Connects to the daemon of a home directory.
 * @throws NodeclusterError E_DAEMON_NOT_RUNNING with `start: false`, E_DAEMON_START,
 *   E_PROTOCOL_VERSION, E_HOME_…
 */
export function connect(options?: ConnectOptions): Promise<Nodecluster>;

/** Every call that fails rejects with one of these. */
export class NodeclusterError extends Error {
  /** Stays the same when the wording of the message changes. See docs/errors.md. */
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
}

export interface Nodecluster {
  /** Every app and its workers; with `telemetry` also what the workers measure. */
  list(options?: { telemetry?: boolean }): Promise<AppView[]>;
  /** Starts new apps, the apps of an ecosystem file, or stopped apps again (selectors). */
  start(target: Target | AppSettings | AppSettings[], options?: FileOptions): Promise<AppOutcome[]>;
  stop(selectors: Selectors): Promise<AppOutcome[]>;
  /** With an ecosystem file: applies it and restarts all its apps. */
  restart(target: Target, options?: FileOptions): Promise<AppOutcome[]>;
  /** With an ecosystem file: applies each change by the smallest action that is enough. */
  reload(target: Target, options?: ReloadOptions): Promise<AppOutcome[]>;
  /** `4`, `'+2'`, `'-1'` or `'max'`. */
  scale(app: string, instances: number | string): Promise<AppOutcome[]>;
  delete(selectors: Selectors): Promise<AppOutcome[]>;
  /** The programs receive the message with `process.on('message')`. */
  send(selectors: Selectors, message: unknown): Promise<Sent[]>;
  /**
   * Events from now on. Ends when the program leaves the loop or calls `close()`; throws when the
   * daemon exits. A reader that is too slow gets `{type: 'missed', count}` for dropped events.
   */
  events(options?: { selectors?: Selectors }): AsyncIterableIterator<Event>;
  /** Closes the connection; the apps keep running. */
  close(): void;
}

/** A name, worker id, `name:slot`, namespace, `/regex/` or `all`; or several. */
export type Selectors = string | string[];
/** The path of an ecosystem file, or selectors. */
export type Target = string | string[];

export interface FileOptions {
  /** Applies the settings under `env_<name>`; only with a file. */
  env?: string;
  /** Only these apps of the file. */
  only?: string[];
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
