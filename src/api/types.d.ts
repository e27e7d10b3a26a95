/** The programmatic interface of nodecluster: docs/api.md. */

/**
 * Connects to the daemon of a home directory.
 * @throws NodeclusterError E_DAEMON_NOT_RUNNING with `start: false`, E_DAEMON_START,
 *   E_PROTOCOL_VERSION, E_HOME_…
 */
export function connect(options?: ConnectOptions): Promise<Nodecluster>;

/** What every call rejects with when it could not be carried out. */
export class NodeclusterError extends Error {
  /** Stays the same when the wording changes: docs/errors.md. */
  readonly code: string;
  readonly data: Record<string, unknown>;
  readonly exitCode: number;
  readonly hint: string | null;
}

export interface ConnectOptions {
  /** Default: NODECLUSTER_HOME, or ~/.nodecluster. */
  home?: string;
  /** Whether a daemon is started where none runs. Default: true. */
  start?: boolean;
}

export interface Nodecluster {
  /** Every app and its workers; with `telemetry` the workers tell what they measure. */
  list(options?: { telemetry?: boolean }): Promise<App[]>;
  /** Starts new apps, those of an ecosystem file, or stopped ones again (selectors). */
  start(target: Target | AppSettings | AppSettings[], options?: FileOptions): Promise<Outcome[]>;
  stop(selectors: Selectors): Promise<Outcome[]>;
  /** With an ecosystem file: applies it, and restarts the workers of what has changed. */
  restart(target: Target, options?: FileOptions): Promise<Outcome[]>;
  /** With an ecosystem file: applies it by the smallest changes that do. */
  reload(target: Target, options?: ReloadOptions): Promise<Outcome[]>;
  /** `4`, `'+2'`, `'-1'` or `'max'`. */
  scale(app: string, instances: number | string): Promise<Outcome[]>;
  delete(selectors: Selectors): Promise<Outcome[]>;
  /** The programs get it by `process.on('message')`. */
  send(selectors: Selectors, message: unknown): Promise<Sent[]>;
  /**
   * What happens from now on. Ends when the loop is left or on `close()`; throws when the daemon
   * is gone. Who does not keep up gets `{type: 'missed', count}` in place of what was lost.
   */
  events(options?: { selectors?: Selectors }): AsyncIterableIterator<Event>;
  /** Ends the connection; the apps go on. */
  close(): void;
}

/** A name, worker id, `name:slot`, namespace, `/regex/` or `all`; or several. */
export type Selectors = string | string[];
/** The path of an ecosystem file, or selectors. */
export type Target = string | string[];

/** An app as in an ecosystem file, in snake_case or camelCase: docs/configuration.md. */
export interface AppSettings {
  script: string;
  name?: string;
  instances?: number | 'max';
  args?: string | string[];
  cwd?: string;
  env?: Record<string, string | number | boolean | null>;
  [setting: string]: unknown;
}

export interface FileOptions {
  /** Takes `env_<name>` over `env`; only with a file. */
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

export type Status =
  | 'starting'
  | 'online'
  | 'draining'
  | 'stopping'
  | 'stopped'
  | 'backoff'
  | 'errored'
  | 'exited'
  | 'unresponsive'
  | 'unknown';

export interface App {
  name: string;
  namespace: string;
  status: Status;
  mode: 'cluster' | 'fork';
  script: string;
  instances: number;
  scheduling: 'round-robin' | 'shared';
  generation: number;
  primaryPid: number | null;
  restarts: number;
  note: string | null;
  workers: Worker[];
}

export interface Worker extends Partial<Vitals> {
  id: number;
  slot: number;
  pid: number | null;
  status: Status;
  /** Percent of one core. */
  cpu: number | null;
  /** Bytes of RSS. */
  memory: number | null;
  uptimeMs: number | null;
  restarts: number;
  generation: number;
  /** How long its event loop has been blocked. */
  blockedMs: number | null;
  reason: string | null;
}

/** What a worker measures of itself; null where that is not known. */
export interface Vitals {
  /** Utilisation of the event loop, 0 to 1. */
  elu: number | null;
  eventLoopDelayMs: { p50: number; p99: number; max: number } | null;
  /** Bytes. */
  heapUsed: number | null;
  /** Bytes. */
  heapTotal: number | null;
  connections: number | null;
  requestsPerSecond: number | null;
  /** Answers with 5xx. */
  errorsPerSecond: number | null;
  latencyMs: { p50: number; p99: number } | null;
}

/** What became of one app. */
export interface Outcome {
  name: string;
  action: string;
  ok: boolean;
  /** Worker ids. */
  done: (number | null)[];
  failed: Failure[];
  kept: (number | null)[];
  rolledBack: (number | null)[];
  minReady: number | null;
  durationMs: number;
  longLivedCut: number;
}

export interface Failure {
  id: number | null;
  /** null: the app as a whole. */
  slot: number | null;
  reason: string;
  lastLines: string[];
}

/** Worker ids; `failed` are those whose channel did not take it. */
export interface Sent {
  name: string;
  sent: number[];
  failed: number[];
}

interface Happening {
  /** Epoch, in milliseconds. */
  at: number;
}

interface AppHappening extends Happening {
  app: string;
  namespace: string;
}

interface WorkerHappening extends AppHappening {
  slot: number;
  id: number | null;
  pid: number | null;
  generation: number;
}

type Action =
  'start' | 'stop' | 'restart' | 'reload' | 'scale' | 'delete' | 'reset' | 'renew' | 'configure';

export type Event =
  | (WorkerHappening & {
      type:
        | 'worker.starting'
        | 'worker.online'
        | 'worker.draining'
        | 'worker.stopping'
        | 'worker.stopped'
        | 'worker.unresponsive'
        | 'worker.responsive';
    })
  | (WorkerHappening & {
      /** Nobody had asked for its end. */
      type: 'worker.exited';
      code: number | null;
      signal: string | null;
      reason: string;
      lastLines: string[];
    })
  | (AppHappening & { type: 'worker.errored'; slot: number; id: number | null; reason: string })
  | (WorkerHappening & {
      /** `process.send({type: 'nodecluster:event', name, data})` */
      type: 'worker.event';
      name: string;
      data: unknown;
      /** So many before it came too fast. */
      dropped?: number;
    })
  | (AppHappening & { type: `${Action}.begun` | 'reload.rollback' | 'primary.lost' })
  | (AppHappening &
      Pick<Outcome, 'ok' | 'done' | 'failed' | 'kept' | 'rolledBack' | 'durationMs'> & {
        type: `${Action}.ended`;
      })
  | (Happening & { type: 'missed'; count: number });
