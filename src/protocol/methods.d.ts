/** Every method of the daemon and of a primary: parameters, result and notifications. */
import type { Spec } from '../config/spec.js';
import type { Client } from './client.js';
import type {
  AppOutcome,
  AppView,
  CommandNotifications,
  EndedReload,
  Event,
  LastReload,
  Outcome,
  Plan,
  Progress,
  ReloadCounts,
  RetiringWorker,
  Sent,
  SlotState,
  TelemetryReport,
  Usage,
  WorkerView,
} from './shapes.js';

export type DaemonClient = Client<DaemonMethods>;
export type PrimaryClient = Client<PrimaryMethods>;

/** Environment variables by name. */
export type Variables = Record<string, string | undefined>;

export interface Selection {
  /** Names, worker ids, `name:slot`, namespaces, `/regex/` or `all`. */
  selectors: string[];
}

export interface Specs {
  specs: (Partial<Spec> | Spec)[];
  /** For the specs that have none of their own: an environment is large. */
  shellEnv?: Variables;
}

export interface Rolling {
  /** Workers to replace at a time. */
  parallel?: number;
  onFailure?: 'keep' | 'rollback';
}

export interface EnvironmentUpdate {
  /** null: each app keeps the environment that it has. */
  updateEnv?: Variables | null;
}

export interface ApplyParams extends Specs, Rolling {
  /** `start` leaves running apps as they are, but not those that have given up. */
  action: 'start' | 'reload' | 'restart';
  /** The absolute path of the file. */
  file?: string | null;
  /** Names; null: all. */
  only?: string[] | null;
  /** Deletes what came from this file and is no longer in it. */
  prune?: boolean;
  /** Replaces the environment of apps that run. */
  updateEnv?: boolean;
  dryRun?: boolean;
  /** false: replies when the first command has begun. */
  wait?: boolean;
}

export interface Outcomes {
  apps: AppOutcome[];
}

/** A command that replies with the outcome of each app, and reports the steps before that. */
export interface Command<Params, Result = Outcomes> {
  params: Params;
  result: Result;
  notifications: CommandNotifications;
}

/** A request that is answered without notifications. */
export interface Query<Params, Result> {
  params: Params;
  result: Result;
  notifications: {};
}

export interface DaemonIdentity {
  pid: number;
  version: string;
}

/** The spec in it has no environment: it may be secret, and `env` masks it. */
export interface AppDescription extends AppView {
  node: string | null;
  lastReload: LastReload | null;
  slots: SlotState[];
  retiring: RetiringWorker[];
  /** Paths; several are joined with commas. */
  logs: { out: string; error: string; primary: string };
  spec: Spec;
}

export interface AppEnvironment {
  name: string;
  env: Record<string, { value: string; from: string }>;
}

export interface LogFiles {
  /** null: of all workers. */
  slot: number | null;
  out: string[];
  error: string[];
}

export interface LoggingApp {
  name: string;
  /** null: all. */
  slots: number[] | null;
  workers: number[];
  style: { type: Spec['logType']; time: boolean; dateFormat: string | null };
  files: LogFiles[];
}

export interface Frame {
  daemon: DaemonIdentity;
  /** Epoch, in milliseconds. */
  at: number;
  apps: AppView[];
}

export interface MeasuredWorker extends WorkerView {
  usage: Usage | null;
  report: TelemetryReport | null;
}

export interface MeasuredApp extends AppView {
  primaryUsage: Usage | null;
  reloads: ReloadCounts | null;
  lastReload: LastReload | null;
  workers: MeasuredWorker[];
}

export interface Measurements {
  daemon: DaemonIdentity & { node: string; startedAt: number; usage: Usage | null };
  apps: MeasuredApp[];
}

export type DaemonMethods = {
  list: Query<{ telemetry?: boolean }, { daemon: DaemonIdentity; apps: AppView[] }>;
  start: Command<Specs>;
  apply: Command<ApplyParams, Outcomes & Plan>;
  resume: Command<Selection & EnvironmentUpdate>;
  stop: Command<Selection>;
  restart: Command<Selection & EnvironmentUpdate>;
  reload: Command<Selection & EnvironmentUpdate & Rolling & { wait?: boolean }>;
  delete: Command<Selection>;
  /** `4`, `+2`, `-1` or `max`. */
  scale: Command<{ selector: string; instances: number | string }>;
  reset: Command<Selection>;
  describe: Query<Selection & { telemetry?: boolean }, { apps: AppDescription[] }>;
  env: Query<Selection & { showSecrets?: boolean }, { apps: AppEnvironment[] }>;
  /** Ends every app and the daemon; the result has the names of the apps that ran. */
  kill: Command<{}, { apps: string[] }>;
  flush: Query<Selection, Outcomes>;
  'log-files': Query<Selection, { apps: LoggingApp[] }>;
  'reload-logs': Query<Selection, Outcomes>;
  /** Never answered: it lasts as long as the connection. */
  watch: { params: { intervalMs?: number }; result: null; notifications: { frame: Frame } };
  metrics: Query<{}, Measurements>;
  /** Never answered. `since`: epoch ms, also sends what happened after that. */
  events: {
    params: { selectors?: string[]; since?: number };
    result: null;
    notifications: { listening: {}; event: Event };
  };
  send: Query<Selection & { message: unknown }, { apps: Sent[] }>;
  ping: Query<{}, DaemonIdentity & { node: string; uptimeMs: number }>;
};

/** The methods that reply with the outcome of each app. */
export type CommandName = {
  [Name in keyof DaemonMethods]: DaemonMethods[Name]['result'] extends Outcomes ? Name : never;
}[keyof DaemonMethods];

/** Slots; without any, all of them. */
export interface SlotSelection {
  slots?: number[];
}

/** What a primary reports of itself after every change. */
export interface Snapshot {
  name: string;
  generation: number;
  mode: Spec['execMode'];
  scheduling: Spec['scheduling'];
  pid: number;
  node: string;
  /** Without the environment, which may be secret and is large. */
  spec: Omit<Spec, 'env' | 'shellEnv'>;
  /** The command under way. */
  busy: string | null;
  lastReload: EndedReload | null;
  reloads: ReloadCounts;
  logDroppedBytes: number;
  logDropReason: string | null;
  /** Connections closed unserved while no worker was left. */
  connectionsGivenUp: number;
  slots: SlotState[];
  retiring: RetiringWorker[];
}

/** What happened to a worker; the daemon adds the app. */
export interface PrimaryEvent {
  type: string;
  at: number;
  /** Not of those that the programs send. */
  seq?: number;
  /** Sent once more, since the daemon may not have received it. */
  again?: boolean;
  slot?: number;
  [detail: string]: unknown;
}

interface PrimaryCommand<Params> {
  params: Params;
  result: Outcome;
  notifications: { progress: Progress };
}

export type PrimaryMethods = {
  /** The notifications go on after the result. `after`: the `seq` of the last known event. */
  subscribe: {
    params: { after?: number };
    result: Snapshot;
    notifications: { state: Snapshot; event: PrimaryEvent };
  };
  /** The daemon exits on purpose: the primary need not start another one. */
  bye: Query<{}, void>;
  start: PrimaryCommand<SlotSelection>;
  stop: PrimaryCommand<SlotSelection>;
  restart: PrimaryCommand<SlotSelection & { spec?: Spec; generation?: number }>;
  reload: PrimaryCommand<SlotSelection & Rolling & { spec?: Spec; generation?: number }>;
  /** A reload to what the app runs already: no symlink is followed again. */
  'replace-workers': PrimaryCommand<{ slots: number[]; generation: number }>;
  scale: PrimaryCommand<{ slots: number[]; spec: Spec }>;
  reset: Query<SlotSelection, Pick<Outcome, 'ok' | 'done' | 'failed'>>;
  /** `leaseMs`: how long the workers go on measuring when nobody asks again. */
  telemetry: Query<{ leaseMs: number }, { workers: { pid: number; report: TelemetryReport }[] }>;
  /** Whether to report the events that the programs send. */
  'forward-program-events': Query<{ enabled: boolean }, void>;
  send: Query<SlotSelection & { message: unknown }, { sent: number[]; failed: number[] }>;
  configure: Query<{ spec: Spec }, void>;
  'reopen-logs': Query<{}, { files: unknown }>;
  'flush-logs': Query<{}, { files: unknown }>;
  /** `hasSuccessor`: another primary follows, and gets the sockets. */
  shutdown: PrimaryCommand<{ hasSuccessor?: boolean }>;
};
