/** Every method of the daemon and of a primary: parameters, result and notifications. */
import type { Spec, VariableName, VariableValue } from '../config/spec.js';
import type { RecordedWorker } from '../shared/processes/records.js';
import type {
  FeatureDaemonMethods,
  FeaturePrimaryMethods,
  FeatureRolling,
  FeatureSnapshot,
} from '../features/record.js';
import type { Client } from './client.js';
import type {
  App,
  AppEnvironment,
  Command,
  Count,
  DaemonIdentity,
  DaemonStatus,
  EndedReload,
  Event,
  Field,
  ListeningRecord,
  Outcome,
  Outcomes,
  Pid,
  Plan,
  Progress,
  Query,
  ReloadCounts,
  Selection,
  Sent,
  Slot,
  SlotSelection,
  SlotState,
  TelemetryReport,
  Time,
  Usage,
} from './shapes.js';

export type DaemonClient = Client<DaemonMethods>;
export type PrimaryClient = Client<PrimaryMethods>;

export type Variables = Record<VariableName, VariableValue | undefined>;

/** The table of options completes it and checks it. @checkedKeys */
export type GivenSpec = Partial<Spec>;

/** The daemon has checked each option, and of an argument that is too long, the start says so. @checkedKeys name script cwd instances execMode maxSurge */
export type CompleteSpec = Spec;

export interface Specs {
  specs: GivenSpec[];
  /** For the specs without their own; sent only once, because an environment is large. */
  shellEnv?: Variables;
}

export interface Rolling extends FeatureRolling {
  /** Workers to replace at a time. @integer @minimum 1 */
  parallel?: number;
  onFailure?: 'keep' | 'rollback';
}

export interface EnvironmentUpdate {
  /** null: each app keeps its current environment. */
  updateEnv?: Variables | null;
  /** Of the shell of the command: the outcome names those that the app does not take. */
  shellEnv?: Variables;
}

export interface ApplyParams extends Specs, Rolling {
  /** All start what does not run. What runs, `start` leaves, `apply` brings in line, `reload` and `restart` replace. */
  action: 'start' | 'apply' | 'reload' | 'restart';
  /** The absolute path of the file. */
  file?: string | null;
  /** Names; null: all. */
  only?: readonly string[] | null;
  /** Deletes apps that came from this file and are no longer in it. */
  prune?: boolean;
  /** Replaces the environment of running apps. */
  updateEnv?: boolean;
  /** Variables that the apps no longer take from the shell that started them. */
  dropEnv?: readonly string[];
  dryRun?: boolean;
}

export interface LogFiles {
  /** null: the files of all workers. */
  slot: number | null;
  out: string[];
  error: string[];
}

export interface LoggingApp {
  name: string;
  /** The other user that it runs as, who must own its files. */
  user: number | null;
  /** null: all. */
  slots: number[] | null;
  workers: number[];
  /** Older lines in its files are of a deleted app with its name; null: not known. */
  createdAt: Time | null;
  style: { type: Spec['logType']; time: boolean; dateFormat: string | null };
  files: LogFiles[];
  /** `run` writes its output to its own. */
  isForeground?: boolean;
}

export interface Listed {
  daemon: DaemonIdentity & {
    startedAt: Time;
    /** `run` was asked to stop. */
    isShuttingDown?: true;
    /** If `counters` were asked for. */
    usage?: Usage;
  };
  apps: App[];
  /** About the saved state. */
  notes: string[];
}

export interface Frame {
  at: Time;
  /** What has changed since the frame before, in `Watched`; that of the first frame is all of it. */
  patch: object;
}

export type DaemonMethods = FeatureDaemonMethods & {
  /**
   * Without `selectors` all apps; without `fields` what is known without a measurement or a request to a primary.
   * `showSecrets`: of the settings in `details`; the environment is in `env`.
   */
  list: Query<Partial<Selection> & { fields?: Field[]; showSecrets?: boolean }, Listed>;
  /** Of an app that runs with these settings, it waits until that is up. */
  start: Command<Specs>;
  apply: Command<ApplyParams, Outcomes & Plan>;
  resume: Command<Selection & EnvironmentUpdate>;
  stop: Command<Selection>;
  restart: Command<Selection & EnvironmentUpdate>;
  reload: Command<Selection & EnvironmentUpdate & Rolling>;
  delete: Command<Selection>;
  /** `4`, `+2`, `-1` or `max`. */
  scale: Command<{ selector: string; instances: number | string }>;
  reset: Command<Selection>;
  env: Query<Selection & { showSecrets?: boolean }, { apps: AppEnvironment[] }>;
  /** Restarts it under another name. */
  rename: Command<{ app: string; name: string }>;
  /** Starts what `kill` stopped. */
  resurrect: Command<{}>;
  /** Stops every app and the daemon. The names of those that ran, and of those that `resurrect` will start. */
  kill: Command<{}, { apps: string[]; remembered: string[] }>;
  flush: Query<Selection, Outcomes>;
  'log-files': Query<Selection, { apps: LoggingApp[] }>;
  /** Has no reply: it lasts as long as the connection. Of a reader that is slow, frames are left out. */
  watch: { params: {}; result: null; notifications: { frame: Frame } };
  /** Has no reply. `since`: epoch ms; recent events from that time on are sent too. */
  events: {
    params: { selectors?: string[]; since?: number };
    result: null;
    notifications: { listening: {}; event: Event };
  };
  send: Query<Selection & { message: unknown }, { apps: Sent[] }>;
  /** `SIGUSR2`, `usr2` or `12`. */
  signal: Query<Selection & { signal: string }, { apps: Sent[] }>;
  /** Writes to the stdin of one worker. */
  input: Query<Selection & { text: InputText }, null>;
  /** Replaces the primaries that were started by another version, one by one. */
  'update-apps': Command<{}>;
  ping: Query<{}, DaemonStatus>;
};

/** The methods that reply with the outcome of each app. */
export type CommandName = {
  [Name in keyof DaemonMethods]: DaemonMethods[Name]['result'] extends Outcomes ? Name : never;
}[keyof DaemonMethods];

/** Without the environment, which may be secret. The daemon compares it, and uses nothing of it. @checkedKeys */
export type ReportedSpec = Omit<Spec, 'env' | 'shellEnv'>;

/** After every change. */
export interface Snapshot extends FeatureSnapshot {
  name: string;
  generation: Count;
  mode: Spec['execMode'];
  node: string;
  spec: ReportedSpec;
  /** The command that is running. */
  busy: string | null;
  lastReload: EndedReload | null;
  lastReplacement: Replacement | null;
  reloads: ReloadCounts;
  logDroppedBytes: number;
  logDropReason: string | null;
  /** Connections that were closed unserved because no worker was left. */
  connectionsGivenUp: Count;
  /** null: nothing is known yet. */
  listeningRecord: ListeningRecord | null;
  /** @maxItems 1000 */
  slots: SlotState[];
  /** Workers that drain or stop while another one has their slot. */
  retiring: Pid[];
}

/** @maxLength 65536 */
export type InputText = string;

/** What a program sends. @maxJson 131072 */
export type ProgramData = unknown;

/** What happened to a worker; the daemon adds the app. */
export interface PrimaryEvent extends Partial<Omit<Progress, 'kind'>> {
  type: string;
  at: Time;
  /** Events that programs send have none. */
  seq?: Count;
  /** Sent once more, because the daemon may not have received it. */
  again?: boolean;
  /** Of a worker that exited unexpectedly, as `cause`: in one line. */
  lastLines?: string[];
  cause?: string;
  /** Of a process that exited: how long it ran. Of a worker: how long its event loop was blocked. */
  durationMs?: number;
  /** Of an event that a program sends. */
  name?: string;
  data?: ProgramData;
  /** How many earlier events were dropped because they came too fast. */
  dropped?: Count;
}

/** In which slots the worker got the message or signal, and in which it could not. */
export interface SentSlots {
  sent: Slot[];
  failed: Slot[];
}

interface PrimaryCommand<Params> {
  params: Params;
  result: Outcome;
  notifications: { progress: Progress };
}

/** What a primary runs from now on. */
export interface HostedApp {
  spec: CompleteSpec;
  generation: Count;
  /** @minItems 1 @maxItems 1000 @uniqueItems */
  slots: Slot[];
  stoppedSlots: Slot[];
  /** Of an earlier life. */
  listeningRecord: ListeningRecord | null;
  /** Another primary serves the same sockets until the workers of this one are online. */
  isSecond: boolean;
  previous: EarlierWorkers;
  /** How many sockets of that app the daemon holds, and sends afterwards. @integer @minimum 0 */
  sockets: number;
}

/** Of a primary that was killed; null: there was none; `unknown`: there was, and it is not known which they are. */
export type EarlierWorkers = RecordedWorker[] | 'unknown' | null;

/** The first four are about the process; every other one is about one of its apps, which the parameter `app` names. */
export type PrimaryMethods = FeaturePrimaryMethods & {
  /**
   * It notifies at once of each app, and of what changes after the result: the names of all. `after`: the `seq` of
   * the last known event of each app. The rest is of a daemon: `isManaged`: an init system runs the daemon and starts
   * the next one, so no primary does. `daemon`: how to start this daemon again.
   */
  subscribe: {
    params: {
      after?: Record<string, Count>;
      isManaged?: boolean;
      daemon?: { execPath: string; script: string };
    };
    result: { apps: string[] };
    notifications: {
      state: Snapshot;
      event: PrimaryEvent & { app: string };
      /** The app has ended here. */
      left: { app: string };
    };
  };
  /** After some seconds without another message: the daemon asks whether the primary still turns, and shows that it does itself. */
  ping: Query<{}, null>;
  /** The daemon exits, and the primary must not start another one. */
  bye: Query<{}, void>;
  /** Makes this process the primary of an app. */
  host: Query<HostedApp, null>;
  /** The other primary of the app has ended: this one serves, whether its workers are online or not. */
  serve: Query<{ previous: EarlierWorkers }, null>;
  start: PrimaryCommand<SlotSelection>;
  stop: PrimaryCommand<SlotSelection>;
  restart: PrimaryCommand<SlotSelection & { spec?: CompleteSpec; generation?: Count }>;
  reload: PrimaryCommand<SlotSelection & Rolling & { spec?: CompleteSpec; generation?: Count }>;
  /** Also changes settings that need no new worker. */
  scale: PrimaryCommand<{ slots: Slot[]; spec: CompleteSpec }>;
  reset: Query<SlotSelection, Pick<Outcome, 'ok' | 'done' | 'failed'>>;
  /** Also of workers that start or end. `leaseMs`: how long they keep measuring without another request; 0: they need not. */
  telemetry: Query<{ leaseMs: number }, { workers: { pid: Pid; report: TelemetryReport }[] }>;
  send: Query<SlotSelection & { message: unknown }, SentSlots>;
  signal: Query<SlotSelection & { signal: string }, SentSlots>;
  input: Query<{ slot: Slot; text: InputText }, null>;
  /** With the environment, for a daemon that has lost it. */
  spec: Query<{}, { spec: GivenSpec }>;
  'rotate-logs': Query<{}, void>;
  'flush-logs': Query<{}, void>;
  /** Workers that drain get their stop signal now; `kill`: they are killed. */
  hurry: Query<{ kill?: boolean }, null>;
  /** Ends the app without waiting for anything, if `shutdown` hangs. */
  abandon: Query<{}, void>;
  /**
   * `later`: the daemon holds the sockets for the next primary. `elsewhere`: another one serves them already, so this one
   * ends as in a reload.
   */
  shutdown: PrimaryCommand<{ goesOn?: 'later' | 'elsewhere' }>;
};
