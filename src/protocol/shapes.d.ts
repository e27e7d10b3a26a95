/** The data that primary, daemon and clients exchange. Part of the public types, so it imports only other types. */
import type { Condition, Spec } from '../config/spec.js';
import type {
  FeatureDetails,
  FeatureEvent,
  FeatureFact,
  FeatureField,
  FeatureStep,
  FeatureFields,
  FeatureSlotState,
  FeatureSummary,
  FeatureWorkerFields,
} from '../features/record.js';

/** @integer @minimum 0 */
export type Count = number;

/** The number of a slot. @integer @minimum 0 @maximum 9999 */
export type Slot = number;

/** @integer @minimum 1 */
export type Pid = number;

/** Epoch, in milliseconds, as far as a Date goes. @minimum 0 @maximum 8640000000000000 */
export type Time = number;

/** @maxLength 4096 */
export type Address = string;

export type WorkerStatus =
  | 'starting'
  | 'online'
  | 'draining'
  | 'stopping'
  | 'stopped'
  | 'backoff'
  | 'errored'
  | 'exited'
  | 'spare'
  | 'blocked';

/** `unknown`: the primary runs but does not reply; `waiting`: a job, for its next time, or an app, to be started. */
export type Status = WorkerStatus | 'unknown' | 'waiting';

/** An address that a worker listens on. */
export interface Listener {
  /** `*:3000`, `127.0.0.1:3000`, `[::1]:3000`, or the path of a unix socket. */
  address: Address;
  /** null: neither, or not known. */
  protocol: 'http' | 'https' | null;
  /** Who listens there in place of the worker itself: `child 6536`, `a thread`; that is known on Linux. */
  by?: string;
}

/** What the program of an app listened on when it last ran. */
export interface ListeningRecord {
  /** A hash of what determines the port: script, arguments, directory, environment. */
  input: Address;
  /** None: it ran for a while without. @maxItems 20 */
  addresses: Address[];
}

/**
 * What is noteworthy about a worker for which a command succeeded. `silent`: it listens on no TCP port, nor does what it
 * has started; `below`: children or threads listen there, and the worker itself on nothing if `isAlone`; `gone`: nobody
 * listens where its predecessor did; `crashed`: after it had taken over, and was started again.
 */
export type Note =
  | { kind: 'silent' }
  | { kind: 'elsewhere'; ports: number[]; asked: number }
  | { kind: 'below'; places: { address: Address; by: string }[]; isAlone: boolean }
  | { kind: 'gone'; addresses: Address[] }
  | { kind: 'crashed'; reason: Reason };

export interface SlotNote {
  slot: Slot;
  note: Note;
}

export interface WorkerNote extends SlotNote {
  id: number | null;
}

/**
 * Why a worker is not online, something failed, waits or happens: `reasonText()` says it. `final`: nothing starts it again,
 * because of that setting, or since it failed so often; `replaces`: why the worker was due that it could not replace;
 * `takenBack`: a reload ended with it, and the old version serves.
 */
export type Reason = Fact & {
  final?:
    'autorestart' | 'stop_exit_codes' | { failures: Count; windowMs: number; isLonger: boolean };
  replaces?: Fact;
  takenBack?: true;
};

/**
 * `start`: it could not be started; `hang`: its event loop is blocked, and it is killed after `graceMs`; `loss`: a message
 * could not be sent to it; `channel`: it has closed the one to its parent, wrote what is not a message or one that is longer
 * than `limit` bytes, or did not read `limit` replies; `error`: of nodecluster; `reported`: what its health check said.
 * Of a worker that serves, `check`: its health check fails; `limit`: it has reached one; `waits`: for so long it has not
 * answered a request, or none at all; `errors`: so many of its answers are 5xx; `growth`: its memory only grows; `files`:
 * almost all descriptors that it may have are open.
 * Of one that has stopped, `left`: it left these processes; `undrained`: it did not answer the request to drain; `hurried`:
 * its drain was ended early; `stopped`: before it had exited.
 * What is waited for, `turn`: this command on the app; `dependency`: that app exits; `uptime`: it must listen, if it `listens`,
 * and run for so long, to prove a version.
 * @orNewer
 */
export type Fact =
  | { kind: 'exit'; code?: number; signal?: string; stdinEnded?: 'empty' | 'given' }
  | ListenFault
  | { kind: 'start'; error: string }
  | Lateness
  | { kind: 'hang'; ms: number; frame?: StackFrame; graceMs?: number }
  | { kind: 'loss'; errno: string }
  | { kind: 'channel'; what: 'closed' | 'invalid' | 'long' | 'unread'; limit?: Count }
  | { kind: 'error'; code: string; text: string }
  | { kind: 'reported'; text: string }
  | { kind: 'check'; failures: Count; text: string }
  | { kind: 'limit'; setting: string; value: number }
  | { kind: 'waits'; ms: number; isSilent: boolean }
  | { kind: 'errors'; count: Count; total: Count }
  | { kind: 'growth'; bytesPerMinute: number }
  | { kind: 'files'; open: Count; limit: Count }
  | { kind: 'left'; processes: string[] }
  | { kind: 'undrained' | 'hurried' | 'stopped' }
  | { kind: 'turn'; of: string }
  | { kind: 'dependency'; name: string }
  | { kind: 'uptime'; ms: number; listens?: boolean }
  | FeatureFact;

/** What it did not do in time; `turn`: its event loop was blocked all along; `continue`: a signal has stopped it. */
export interface Lateness {
  kind: 'late';
  what: 'ready' | 'load' | 'listen' | 'turn' | 'continue' | 'check' | 'exit' | 'serve';
  /** Missing: there is no deadline. */
  afterMs?: number;
  /** Where it does not listen, and where it does instead. */
  addresses?: Address[];
  instead?: Address[];
  /** What the check said. */
  text?: string;
}

/** Why a program could not listen. */
export interface ListenFault {
  kind: 'listen';
  /** `EADDRINUSE`, `EACCES` and others. */
  errno: string;
  /** Absent: all addresses. Without a port it is the path of a unix socket. */
  address?: Address;
  port?: number;
  /** Who has it, if it is in use and the daemon found that out: an app of this home, or what follows 'in use by'. */
  holder?: string;
}

/** Why a worker, or a command as a whole, failed. */
export interface SlotFailure {
  /** null: the app as a whole. */
  slot: Slot | null;
  reason: Reason;
  /** It was not reset, but stays so; or it could not be rolled back. */
  stays?: 'errored' | 'exited' | 'unreverted';
  /** Another new worker had taken over before, so nothing runs the old version there. */
  isOldGone?: true;
  /** What its program wrote about it; null: nothing. */
  cause?: string | null;
  /** Of stderr. */
  lastLines: string[];
}

export interface Failure extends SlotFailure {
  id: number | null;
}

/** What a stop had to kill. */
export interface Killed {
  /** Workers that did not exit in time, or left processes that did not. */
  workers: Count;
  /** `kill_timeout`. */
  afterMs: number;
  /** What asked them to exit; null: a message. */
  signal: string | null;
}

/** What a primary reports about a command, with slots instead of worker ids. */
export interface Outcome {
  /** False: a worker failed, or a reload was not completed. */
  ok: boolean;
  /** Slots in which the command succeeded. */
  done: Slot[];
  failed: SlotFailure[];
  /** Slots that a failed reload left on the old version. */
  kept: Slot[];
  /** Slots that a failed reload had replaced, and that run the old version again. */
  rolledBack: Slot[];
  /** Connections that were still open when a drain timed out, and were closed. */
  longLivedCut: number;
  /** Absent: nothing. */
  killed?: Killed;
  /** The smallest number of workers during the command that were online, responsive and not unhealthy. */
  minReady: number;
  durationMs: number;
  notes?: SlotNote[];
}

/** A command that did not need the primary leaves out the other fields. */
export type PartialOutcome = Pick<Outcome, 'ok'> & Partial<Outcome>;

/** The outcome of a command for one app: its workers have ids, and null is one without. */
export interface AppOutcome extends Omit<
  Outcome,
  'done' | 'failed' | 'kept' | 'rolledBack' | 'minReady' | 'notes'
> {
  name: string;
  /** What was done: `start`, `reload` … */
  action: string;
  /** Ids of the workers for which the command succeeded. */
  done: (number | null)[];
  failed: Failure[];
  /** Those that a failed reload left on the old version. */
  kept: (number | null)[];
  /** Those that a failed reload had replaced, and that run the old version again. */
  rolledBack: (number | null)[];
  /** null: not known. */
  minReady: number | null;
  /** What is noteworthy about workers for which it succeeded. */
  notes?: WorkerNote[];
  /** Variables of the shell of the command that the app did not take, if they are few; of what failed also those that only the app has. */
  shell?: string[];
  /** The command has begun, and the reply does not wait for its outcome. */
  accepted?: true;
  /** The app before and after the command. */
  before?: AppSummary;
  after?: AppSummary;
}

export interface AppSummary extends FeatureSummary {
  /** The desired number. */
  workers: number;
  /** Worker ids. */
  online: number[];
  /** Ids of those that the user stopped. */
  stopped: number[];
  /** What the workers that are online listen on. */
  listening: Listener[];
}

/** An unexpected exit. */
export interface PastExit {
  code: number | null;
  signal: string | null;
  /**
   * It does not count as a crash: something outside of the program was missing for a moment, an older worker of the slot
   * served on, it was a script that has done its work, or the slot has been started anew since.
   */
  isExcused?: boolean;
  /** Unless its kind is `exit`, `listen` or `start`, nodecluster ended it for that. */
  reason: Reason;
  uptimeMs: number;
  at: Time;
  /** What its program wrote about it; null: nothing. */
  cause?: string | null;
  /** Of stderr or, if there are none, the last three of stdout; of a record of JSON its message and stack. Kept for the latest exit only. */
  lastLines: string[];
}

/** A worker was replaced without a command: `max_memory_restart`, `health`, `max_age`, `max_requests`. */
export interface Replacement {
  slot: Slot;
  /** When it began. */
  at: Time;
  reason: Reason;
}

/** How a reload ended, as its primary reports it. */
export interface EndedReload {
  ok: boolean;
  at: Time;
  /** Why it failed, and what its program wrote about that. */
  reason: Reason | null;
  cause?: string | null;
  durationMs: number;
  generation: Count;
  /** Slots. */
  done: Slot[];
  kept: Slot[];
  rolledBack: Slot[];
}

export interface ReloadCounts {
  ok: Count;
  failed: Count;
  rolledBack: Count;
}

/** A function that JavaScript is in. */
export interface StackFrame {
  /** Empty: it has no name. */
  name: string;
  /** A path, or `node:` and the name of a module; empty: not known. */
  file: string;
  line: Count;
  column: Count;
  /** Whose code it is. */
  origin: 'program' | 'node' | 'nodecluster';
}

/** `blocked`: in JavaScript; `native`: in a call that is not JavaScript; `stopped`: by SIGSTOP; `unknown`: not seen. */
export type StackState = 'running' | 'blocked' | 'native' | 'stopped' | 'unknown';

export interface Stack {
  state: StackState;
  /** The innermost first; none unless it is `blocked`. @maxItems 50 */
  frames: StackFrame[];
  /** What is known instead, in words that follow 'it'. */
  note: string | null;
  at: Time;
}

/** One slot as its primary reports it. Times are on the machine's monotonic clock. */
export interface SlotState extends FeatureSlotState {
  slot: Slot;
  status: WorkerStatus;
  pid: Pid | null;
  /** Of workers that it replaces, and that still serve. */
  beside: Pid[];
  /** Whether it should get traffic. */
  isReady: boolean;
  /** Whether its worker must have exited before another one starts; absent: its primary is an older one. */
  emptiesFirst?: boolean;
  generation: Count;
  restarts: Count;
  startedMs: number | null;
  /** Why it is not online. */
  reason: Reason | null;
  /** When it will be started again. */
  retryAtMs: number | null;
  /** When the last heartbeat of its blocked event loop arrived; null: not blocked. */
  blockedSinceMs: number | null;
  /** Where it is blocked; null: it is not, or nobody has looked. */
  stack: Stack | null;
  /** @maxItems 1000 */
  listening: Listener[];
  lastExit: PastExit | null;
  /** The latest first. */
  earlierExits: PastExit[];
}

export interface Progress {
  kind:
    | 'starting'
    | 'waiting'
    | 'online'
    | 'draining'
    | 'stopping'
    | 'stopped'
    | 'failed'
    | 'exited'
    | 'rolling back'
    | FeatureStep;
  slot?: Slot;
  pid?: Pid | null;
  generation?: Count;
  /** Of a failure; what it waits for, or must prove; what was not as it should be when it stopped. */
  reason?: Reason | null;
  /** Of a worker that starts: what the worker before it did. */
  after?: Reason;
  code?: number | null;
  signal?: string | null;
  /** Connections that were still open when the drain timed out, and were closed; absent: unknown. */
  cut?: number;
  /** Of a worker that has stopped. */
  killed?: Killed;
}

/** A step as the daemon relays it. */
export interface ProgressEvent extends Progress {
  app: string;
  id?: number | null;
  /** Of a worker: how many the app has. */
  of?: Count;
}

export interface CommandNotifications {
  /** Before anything is done. */
  plan: Plan;
  progress: ProgressEvent;
}

/** What must be done to bring an app in line with its file. */
export type PlanAction = 'start' | 'none' | 'configure' | 'scale' | 'reload' | 'restart' | 'delete';

/** Of a setting, or of a variable: `env.PORT`. */
export interface Difference {
  key: string;
  /** Values as in an ecosystem file; missing: none. */
  from?: unknown;
  to?: unknown;
}

/** Who gave a command. */
export interface Author {
  /** `cli`, `web`, `program`, or what the daemon does by itself: `watch`, `cron_restart`, `autoscaling`. @maxLength 64 */
  role: string;
  /** As the client says. @maxLength 64 */
  user: string | null;
  /** Whose change is the cause, from `cwd`. @maxLength 4096 */
  file?: string;
}

/** Who gave a command, and what Linux says of the process that sent it. What is null is not known. */
export interface Sender extends Author {
  /** The name of its user, or the number of one without a name. @maxLength 64 */
  account: string | null;
  /** That of the user who logged in, also behind `sudo`. @maxLength 64 */
  login: string | null;
  /** Its working directory, without secrets, shortened. @maxLength 200 */
  cwd: string | null;
}

/** What a command changed: settings, which workers should run, or those that it replaced. */
export interface AppChange {
  /** When it began. */
  at: Time;
  /** As in events: `reload`, `restart`, `start`, `configure` … @maxLength 64 */
  action: string;
  /** null: not known. */
  by: Author | null;
  /** The one that it made. */
  generation: Count;
  /** false: it is in progress, or has failed, and the app has its earlier settings. */
  isApplied: boolean;
  /** Secrets are masked, and long values are shortened. @maxItems 20 */
  differences: Difference[];
  /** How many more there are. */
  omitted: Count;
}

export interface PlanEntry {
  app: string;
  action: PlanAction;
  /** Secrets are masked. */
  changes: Difference[];
  /** The changes wait for a reload: this action does not apply them. */
  pending?: boolean;
  /** What it waits for, by app: `ready`, `started` or `exited`; only if it waits. */
  waitsFor?: Record<string, Condition>;
}

export interface Plan {
  plan: PlanEntry[];
  /** Apps that came from this file and are no longer in it. */
  unlisted: string[];
}

/** The same, but what would be null is left out. */
export type Known<T> = T extends readonly (infer Each)[]
  ? Known<Each>[]
  : T extends object
    ? { [Key in keyof T as null extends T[Key] ? never : Key]: Known<T[Key]> } & {
        [Key in keyof T as null extends T[Key] ? Key : never]?: Known<NonNullable<T[Key]>>;
      }
    : T;

/** What the daemon knows of an app. Nothing in it is null but in `spec`: what is not known, or does not apply, is left out. */
export interface App extends FeatureFields {
  name: string;
  namespace: string;
  status: Status;
  /** It is started once these are what its `depends_on` says; none: once it is its turn. */
  waitsFor?: string[];
  mode: 'cluster' | 'fork';
  /** Absolute path, or a command. */
  script: string;
  /** The name of the user that it runs as, or the uid if that has no name; missing: the daemon's own. */
  user?: string;
  /** The desired number of workers. */
  instances: number;
  /** What takes effect. */
  scheduling: 'round-robin' | 'fair' | 'sticky';
  /** Increases by one with each reload. */
  generation: number;
  /** Missing: it does not run. */
  primaryPid?: Pid;
  /** The version of nodecluster that its primary runs; missing: it does not run, or is not known. */
  primaryVersion?: string;
  /** The version of Node that its primary runs on; missing: as `primaryVersion`, or `interpreter` chose it. */
  primaryNode?: string;
  /** Of all its workers. */
  restarts: number;
  /** The command that is running on the app. */
  busy?: string;
  /** Bytes of output that did not reach the log files. */
  logDroppedBytes: number;
  /** Connections that were closed unserved because no worker was left; missing: it does not run. */
  connectionsGivenUp?: Count;
  /** Workers that must be ready for the app to be, or `50%` of them. */
  readyMin: number | string;
  /** Whether that many have been, since this daemon knows it. */
  hasBeenReady: boolean;
  /** It has no process while nothing is to be done. */
  isOnDemand?: boolean;
  /** Since its primary was started. */
  reloads?: ReloadCounts;
  lastReload?: Known<EndedReload>;
  lastReplacement?: Replacement;
  /** Anything else that is worth knowing. */
  note?: string;
  /** By slot. */
  workers: Worker[];
  /** Of one that several apps share, with one of them. If `counters` were asked for. @internal */
  primaryUsage?: Usage;
  /** The version of Node that its primary runs on. Only in `describe`, as `logs` and `spec`. */
  node?: string;
  /** Paths of all workers, each once; /dev/null: the output is discarded; /dev/stdout: that of `run`. */
  logs?: { out: string[]; error: string[] };
  /** What commands changed, the latest first: the last one that was applied, and the last one that may be why something is wrong; in `describe` five. Missing: no command changed it. */
  changes?: Known<AppChange>[];
  /** The settings, complete. Its `env` and `shellEnv` are empty: `env` shows these. Secrets are masked. */
  spec?: Spec;
}

/** An app of which the details were asked for. */
export type Description = App & Required<Pick<App, 'logs' | 'changes' | 'spec'> & FeatureDetails>;

/** The records of all apps, so that a JSON Merge Patch (RFC 7396) can say what has changed. */
export interface Watched {
  daemon: DaemonIdentity;
  /** Names of the apps. */
  order: string[];
  apps: Record<string, KeyedApp>;
}

export type KeyedApp = Omit<App, 'workers'> & { workers: Record<Slot, Worker> };

export interface Worker extends Figures {
  /** Unique in a home directory. */
  id: number;
  /** 0 to n-1; the program sees it as `NODE_APP_INSTANCE`. */
  slot: Slot;
  /** Missing: it does not run. */
  pid?: Pid;
  status: Status;
  /** The workers that it replaces, as long as they still serve; missing: none. */
  beside?: Known<Figures & { pid: Pid }>[];
  /** Whether it should get traffic: it is online, and healthy if its app has `health`. */
  isReady: boolean;
  startedAt?: Time;
  /** How often it was started again after an exit that nobody asked for. */
  restarts: number;
  generation: number;
  /** When its event loop last replied; missing: it is not blocked. */
  blockedSince?: Time;
  /** Where it is blocked: looked for once, soon after it is noticed. */
  stack?: Known<Stack>;
  /** In fork mode on Linux also what processes below the program listen on; elsewhere only what a Node program itself does. */
  listening: Known<Listener>[];
  /** When it will be started again, if it is in `backoff`. */
  retryAt?: Time;
  /** Why it is not online. */
  reason?: Reason;
  /** What its program wrote about that: `Cannot find module 'express'`, `no database (db.js:3)`. */
  cause?: string;
  /** When its process exited, if it is `errored`. */
  exitedAt?: Time;
  /** What its agent has counted. If `counters` were asked for. @internal */
  report?: TelemetryReport;
  /** Only in `describe`, as `earlierExits`. */
  lastExit?: Known<PastExit>;
  /** The latest first. */
  earlierExits?: Known<PastExit>[];
}

/** Of a process. */
export interface Figures extends Vitals, FeatureWorkerFields {
  /** Percent of one core; missing: not measured yet, or it does not run. */
  cpu?: number;
  /** Bytes of RSS; missing as `cpu`. */
  memory?: number;
  /** CPU time since it started; missing as `cpu`. */
  cpuTimeMs?: number;
}

/** What a worker measures about itself, as far as that is known. */
export interface Vitals {
  /** Utilisation of the event loop, 0 to 1. */
  elu?: number;
  eventLoopDelayMs?: { p50: number; p99: number; max: number };
  /** Bytes. */
  heapUsed?: number;
  /** Bytes. */
  heapTotal?: number;
  connections?: number;
  requestsPerSecond?: number;
  /** Responses with 5xx. */
  errorsPerSecond?: number;
  /** Of the last minute. */
  latencyMs?: { p50: number; p99: number };
}

export interface AppEnvironment {
  name: string;
  /** `from`: `shell`, `file`, `flag`, or `env_from` with the source, whose values are always masked, as are those that look like secrets. */
  env: Record<string, { value: string; from: string }>;
}

export interface DaemonIdentity {
  pid: number;
  version: string;
  /** The version of Node that it runs on, `v22.11.0`. */
  node: string;
}

/** The daemon's reply to a ping. */
export interface DaemonStatus extends DaemonIdentity {
  startedAt: Time;
  /** The directory of the package that it was started from. */
  root: string;
  /** It is the daemon of `run`. */
  isForeground?: boolean;
}

/** One count for each of the bounds in shared/latency.js, and one beyond the last. */
export interface Histogram {
  counts: number[];
  sumMs: number;
}

/** What the agent of a worker has counted since the worker started. */
export interface TelemetryReport {
  atMs: number;
  /** How long the event loop has been busy and idle since it began. */
  activeMs: number;
  idleMs: number;
  delay: Histogram & { maxMs: number };
  heapUsed: number;
  heapTotal: number;
  connections: number;
  /** Requests, answered or not. */
  begun: number;
  requests: number;
  errors: number;
  latency: Histogram;
  /** The counts of `latency` for requests that began within the last minute. */
  lastMinute: number[];
  /** How long the slowest of these took. */
  slowestMs: number;
}

export interface Usage {
  /** Percent of one core. */
  cpu: number;
  /** Bytes of RSS. */
  memory: number;
  /** CPU time since the process started, in milliseconds. */
  ctime: number;
}

export interface LogRecord {
  /** ISO 8601; null: the log has no times. */
  time: string | null;
  app: string | null;
  /** Slot; null: not known, or a line of nodecluster. */
  worker: number | null;
  /** null: not known. */
  stream: 'out' | 'error' | null;
  message: string;
  /** It continues the line before it, which was too long. */
  goesOn?: boolean;
}

/** Worker ids; `failed` are those that could not get the message or signal. */
export interface Sent {
  name: string;
  sent: number[];
  failed: number[];
}

export interface AppEvent {
  /** Epoch, in milliseconds. */
  at: number;
  app: string;
  namespace: string;
}

export interface WorkerEvent extends AppEvent {
  slot: number;
  id: number | null;
  pid: number | null;
  generation: number;
}

type Action =
  'start' | 'stop' | 'restart' | 'reload' | 'scale' | 'delete' | 'reset' | 'configure' | 'update';

export type Event =
  | (WorkerEvent & {
      type:
        | 'worker.online'
        | 'worker.draining'
        | 'worker.stopping'
        /** Another one starts and takes its place, without a command; `reason`: why. */
        | 'worker.replacing';
      reason?: Reason;
    })
  | (WorkerEvent & {
      type: 'worker.blocked' | 'worker.responsive';
      /** How long its event loop has been blocked, or was. */
      durationMs?: number;
    })
  | (WorkerEvent & {
      type: 'worker.starting';
      /** What is asked of it before it is online, of the first new worker of a reload. */
      reason?: Reason;
      /** Why it is a restart: what the worker before it did. */
      after?: Reason;
    })
  | (WorkerEvent & {
      type: 'worker.stopped';
      /** Connections that were still open when its drain timed out, and were closed; absent: it did not answer. */
      cut?: number;
      killed?: Killed;
      /** Then, or if it left processes. */
      reason?: Reason;
    })
  | (WorkerEvent & {
      /** The exit was unexpected. */
      type: 'worker.exited';
      code: number | null;
      signal: string | null;
      reason: Reason;
      /** How long it ran. */
      durationMs?: number;
      /** What its program wrote about it, in one line. */
      cause?: string;
      lastLines: string[];
    })
  | (AppEvent & {
      type: 'worker.errored';
      slot: number;
      id: number | null;
      reason: Reason;
    })
  | (WorkerEvent & {
      /** `process.send({type: 'nodecluster:event', name, data})`, which the program could deliver itself. */
      type: 'worker.event';
      name: string;
      data: unknown;
      /** How many earlier events were dropped because they came too fast. */
      dropped?: number;
    })
  | (AppEvent & {
      type: `${Action}.begun` | 'reload.rollback' | 'primary.lost';
      /** Why, if nobody gave the command. */
      reason?: Reason;
      /** Of a command: who gave it, or what the daemon did by itself. */
      by?: Sender | Author;
    })
  | (AppEvent &
      Pick<AppOutcome, 'ok' | 'done' | 'failed' | 'kept' | 'rolledBack' | 'durationMs'> & {
        type: `${Action}.ended`;
        by?: Sender | Author;
        /** If it replaced, started or stopped workers, or changed settings. */
        change?: AppChange;
      })
  | FeatureEvent
  | {
      type: 'daemon.started' | 'daemon.ended';
      at: number;
      pid: number;
      /** Of the daemon before, if that was killed or crashed: when it last noted anything. */
      lastSeenAt?: number;
      /** Why it ended: a command or a signal. */
      because?: string;
    }
  | {
      /** A reader was too slow for so many, or they are older than those that are kept. */
      type: 'missed';
      at: number;
      count: number;
      /** Then, how many are. */
      kept?: number;
    };

export interface Selection {
  /** Names, worker ids, `name:slot`, namespaces, `/regex/` or `all`. */
  selectors: string[];
}

/** Without `slots`, all slots. */
export interface SlotSelection {
  slots?: Slot[];
}

export interface Outcomes {
  apps: AppOutcome[];
}

/**
 * What costs something to know: `usage`: CPU and memory of the workers; `vitals`: what they measure about themselves;
 * `counters`: the same as counts that only grow, and the usage of daemon and primaries; `details`; and fields of features.
 */
export type Field = 'usage' | 'vitals' | 'counters' | 'details' | FeatureField;

/** A command that replies with the outcome of each app, and reports the steps before that. */
export interface Command<Params, Result = Outcomes> {
  params: Params;
  result: Result;
  notifications: CommandNotifications;
}

/** A request that has a reply but no notifications. */
export interface Query<Params, Result> {
  params: Params;
  result: Result;
  notifications: {};
}
