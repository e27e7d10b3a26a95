/**
 * The data that primary, daemon and clients exchange, each shape declared once. This file imports
 * nothing: it is part of the public types (src/api/types.d.ts).
 */

export type WorkerStatus =
  | 'starting'
  | 'online'
  | 'draining'
  | 'stopping'
  | 'stopped'
  | 'backoff'
  | 'errored'
  | 'exited'
  | 'unresponsive';

/** `unknown`: the primary runs but does not answer. */
export type Status = WorkerStatus | 'unknown';

/** Why a worker, or a command as a whole, failed. */
export interface SlotFailure {
  /** null: the app as a whole. */
  slot: number | null;
  reason: string;
  /** Of stderr. */
  lastLines: string[];
}

export interface Failure extends SlotFailure {
  /** Worker id. */
  id: number | null;
}

/** What a primary reports of a command; slots, not worker ids. */
export interface Outcome {
  ok: boolean;
  /** Slots that are as they should be. */
  done: number[];
  failed: SlotFailure[];
  /** Slots that a failed reload left on the old version. */
  kept: number[];
  /** Slots that it had replaced, and that run the old version again. */
  rolledBack: number[];
  /** Connections that were still open when a drain ended. */
  longLivedCut: number;
  /** The fewest workers that were online meanwhile. */
  minReady: number;
  durationMs: number;
}

/** What applies of it: not every command needs the primary. */
export type PartialOutcome = Pick<Outcome, 'ok'> & Partial<Outcome>;

/** The outcome of a command for one app. */
export interface AppOutcome {
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
  /** The command has begun, and nobody waits for its end. */
  accepted?: true;
  /** The app before and after the command. */
  before?: AppSummary;
  after?: AppSummary;
}

export interface AppSummary {
  /** How many there should be. */
  workers: number;
  /** Worker ids. */
  online: number[];
  /** Slots that the user stopped. */
  stopped: number[];
}

/** An exit that nobody had asked for. */
export interface PastExit {
  code: number | null;
  signal: string | null;
  /** Why there was no process at all. */
  error?: string | null;
  reason: string;
  uptimeMs: number;
  /** Epoch, in milliseconds. */
  at: number;
  /** Of stderr; kept for the latest exit only. */
  lastLines: string[];
}

/** How a reload ended, as its primary reports it. */
export interface EndedReload {
  ok: boolean;
  /** Epoch, in milliseconds. */
  at: number;
  /** Why it failed. */
  reason: string | null;
  durationMs: number;
  generation: number;
  /** Slots. */
  done: number[];
  kept: number[];
  rolledBack: number[];
}

/** The rest is not known of a reload that its primary did not survive. */
export type LastReload = Pick<EndedReload, 'ok' | 'at' | 'reason'> & Partial<EndedReload>;

export interface ReloadCounts {
  ok: number;
  failed: number;
  rolledBack: number;
}

/** One slot as its primary reports it. Times are on the machine's monotonic clock. */
export interface SlotState {
  slot: number;
  status: WorkerStatus;
  pid: number | null;
  generation: number;
  restarts: number;
  startedMs: number | null;
  /** Why it is not online. */
  reason: string | null;
  /** When it is started again. */
  retryAtMs: number | null;
  /** When its event loop was last known to turn. */
  blockedSinceMs: number | null;
  /** Addresses. */
  listening: string[];
  lastExit: PastExit | null;
  /** The latest first. */
  earlierExits: PastExit[];
}

/** A worker that is ending while another one has its slot. */
export interface RetiringWorker {
  slot: number;
  pid: number | null;
  status: string;
  generation: number;
}

/** A step of a command, as a primary reports it. */
export interface Progress {
  kind:
    | 'starting'
    | 'online'
    | 'draining'
    | 'stopping'
    | 'stopped'
    | 'failed'
    | 'exited'
    | 'rolling back';
  slot?: number;
  pid?: number | null;
  generation?: number;
  reason?: string | null;
  lastLines?: string[];
  code?: number | null;
  signal?: string | null;
  /** Connections that were still open when the drain ended. */
  cut?: number;
}

/** The same as the daemon relays it. `waiting`: for another command on the app. */
export interface ProgressEvent extends Omit<Progress, 'kind'> {
  app: string;
  kind: Progress['kind'] | 'waiting';
  /** Worker id. */
  id?: number | null;
}

export interface CommandNotifications {
  /** Only of `apply`, before it begins. */
  plan: Plan;
  progress: ProgressEvent;
}

/** What an app would need in order to become what its file says. */
export type PlanAction = 'start' | 'none' | 'configure' | 'scale' | 'reload' | 'restart' | 'delete';

export interface PlanEntry {
  app: string;
  action: PlanAction;
  /** Secrets are masked. */
  changes: { key: string; from?: unknown; to?: unknown }[];
  /** The changes wait for a reload: this action leaves them out. */
  pending?: boolean;
}

export interface Plan {
  plan: PlanEntry[];
  /** Apps that came from this file and are no longer in it. */
  unlisted: string[];
}

export interface AppView {
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
  /** The command that works on it. */
  busy: string | null;
  /** What did not reach its log files. */
  logDroppedBytes: number;
  note: string | null;
  workers: WorkerView[];
}

export interface WorkerView extends Partial<Vitals> {
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
  /** Time until it is started again. */
  retryInMs: number | null;
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

/** By the bounds of lifecycle/latency.js. */
export interface Histogram {
  counts: number[];
  sumMs: number;
}

/** What the agent of a worker has counted since the worker started. */
export interface TelemetryReport {
  atMs: number;
  activeMs: number;
  idleMs: number;
  delay: Histogram & { maxMs: number };
  heapUsed: number;
  heapTotal: number;
  connections: number;
  requests: number;
  errors: number;
  latency: Histogram;
}

/** CPU and memory of a process. */
export interface Usage {
  /** Percent of one core. */
  cpu: number;
  /** Bytes of RSS. */
  memory: number;
  /** CPU time since the process began, in milliseconds. */
  ctime: number;
}

/** Worker ids; `failed` are those whose channel did not take the message. */
export interface Sent {
  name: string;
  sent: number[];
  failed: number[];
}

interface BaseEvent {
  /** Epoch, in milliseconds. */
  at: number;
}

interface AppEvent extends BaseEvent {
  app: string;
  namespace: string;
}

interface WorkerEvent extends AppEvent {
  slot: number;
  id: number | null;
  pid: number | null;
  generation: number;
}

type Action =
  'start' | 'stop' | 'restart' | 'reload' | 'scale' | 'delete' | 'reset' | 'renew' | 'configure';

export type Event =
  | (WorkerEvent & {
      type:
        | 'worker.starting'
        | 'worker.online'
        | 'worker.draining'
        | 'worker.stopping'
        | 'worker.stopped'
        | 'worker.unresponsive'
        | 'worker.responsive';
    })
  | (WorkerEvent & {
      /** Nobody had asked for its end. */
      type: 'worker.exited';
      code: number | null;
      signal: string | null;
      reason: string;
      lastLines: string[];
    })
  | (AppEvent & { type: 'worker.errored'; slot: number; id: number | null; reason: string })
  | (WorkerEvent & {
      /** `process.send({type: 'nodecluster:event', name, data})` */
      type: 'worker.event';
      name: string;
      data: unknown;
      /** How many before it were dropped because they came too fast. */
      dropped?: number;
    })
  | (AppEvent & { type: `${Action}.begun` | 'reload.rollback' | 'primary.lost' })
  | (AppEvent &
      Pick<AppOutcome, 'ok' | 'done' | 'failed' | 'kept' | 'rolledBack' | 'durationMs'> & {
        type: `${Action}.ended`;
      })
  | (BaseEvent & { type: 'missed'; count: number });
