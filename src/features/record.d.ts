/** The types that features add to those of the kernel. */
import type { Pid, StackFrame, Time } from '../protocol/shapes.js';
import type { Alarm, AlarmView } from './alarms/record.js';
import type { Autoscaling } from './autoscaling/record.js';
import type {
  AnswerFigures,
  Canary,
  CanaryEvent,
  CanaryOptions,
  CanaryOrder,
  CanaryPrimaryMethods,
  CanaryStep,
} from './canary/record.js';
import type { DegradedEvent, DegradedFields, DegradedMethods } from './degraded/record.js';
import type { VariableSource } from './env-from/record.js';
import type { CheckRule, HealthEvent, WorkerHealth } from './health/record.js';
import type { Job, JobCalls, JobEvent, JobMethods, JobSpec } from './jobs/record.js';
import type { PastHour, PastHourMethods } from './past-hour/record.js';
import type { ProgramMetrics, ProgramMetricsMethods } from './program-metrics/record.js';
import type { SpareEvent, Spares } from './spares/record.js';
import type { StackEvent, WhyCalls, WhyDaemonMethods, WhyPrimaryMethods } from './why/record.js';

export interface WearSpec {
  maxMemoryRestartBytes: number | null;
  maxRequests: number | null;
  maxAgeMs: number | null;
}

/** In a spec. */
export interface FeatureSpec extends WearSpec, JobSpec {
  /** Read at each start of a worker, never stored. */
  envFrom: VariableSource[];
  health: CheckRule | null;
  spares: number;
  cronRestart: string | null;
  /** All of cwd, or absolute paths. */
  watch: boolean | string[];
  ignoreWatch: string[];
  watchDelayMs: number;
  /** An absolute path. */
  pidFile: string | null;
  on: Alarm[];
}

export type FeatureEvent =
  CanaryEvent | HealthEvent | DegradedEvent | StackEvent | JobEvent | SpareEvent;

/**
 * Of a canary, `judging`: for so long, beside so many old workers; `judged`: by these answers, which are enough to compare
 * latencies if `isTimed`; why it is taken back, `share`: of its requests, too many had 5xx or no answer; `slow`: its p99;
 * `few`: requests to judge it by; `superseded`: by another command; `unjudged`: it could not be. Why an app is scaled, or
 * not, `cores`: that are available; `busy`: event loops, 0 to 1; `idle`: for so long; `memory`: bytes. `skipped`: a run
 * of a job, for another one. `repeated`: a file has caused so many reloads that the next one waits; `command` ends that.
 * `stack`: where an event loop is blocked; without JavaScript what it is `doing`, in words that follow 'it'. `spare`: it
 * serves from now on.
 */
export type FeatureFact =
  | { kind: 'judging'; forMs: number; beside: number }
  | { kind: 'judged'; mayFollow: boolean; isTimed: boolean; own: AnswerFigures; old: AnswerFigures }
  | { kind: 'share'; is5xx: boolean; found: number; total: number; allowed: number }
  | { kind: 'slow'; p99Ms: number; allowedMs: number }
  | { kind: 'few'; requests: number; old: number }
  | { kind: 'superseded' | 'unjudged' }
  | { kind: 'cores'; count: number }
  | { kind: 'busy'; share: number }
  | { kind: 'idle'; ms: number }
  | { kind: 'memory'; free: number; needed: number }
  | { kind: 'skipped'; other: 'waiting' | 'beginning' | 'running' }
  | { kind: 'repeated'; file: string; times: number; ms: number; command: string[] }
  | { kind: 'stack'; frames: StackFrame[]; doing?: string }
  | { kind: 'spare'; slot: number; pid?: Pid };

/** Of a command, as a primary reports it. */
export type FeatureStep = CanaryStep;

/** How a reload replaces workers. */
export interface FeatureRolling {
  /** The first workers serve beside the old ones and are judged before the others follow. */
  canary?: CanaryOrder;
}

export type FeatureDaemonMethods = JobMethods & WhyDaemonMethods;

export type FeaturePrimaryMethods = CanaryPrimaryMethods &
  WhyPrimaryMethods &
  ProgramMetricsMethods &
  PastHourMethods &
  DegradedMethods;

/** Calls of programs, and what they add to reload(). */
export interface FeatureCalls extends JobCalls, WhyCalls {}

export interface FeatureReloadOptions {
  canary?: CanaryOptions;
}

/** In the record of an app; those in `describe` only; and in the record of a worker. */
export interface FeatureFields extends FeatureDetails {
  /** Missing: the number is fixed. */
  autoscaling?: Autoscaling;
  /** Missing: it is not a job. */
  job?: Job;
  /** When `cron_restart` reloads the app next, or starts it again if it has exited; missing: never. */
  nextReloadAt?: Time;
  /** Only while a reload is being judged by its first workers. */
  canary?: Canary;
  /** Missing: it has no `spares`. */
  spares?: Spares;
  /** Of the program's own registry. If `programMetrics` were asked for. @internal */
  programMetrics?: ProgramMetrics;
  /** If `pastHour` was asked for. @internal */
  pastHour?: PastHour;
}

export interface FeatureDetails {
  alarms?: AlarmView[];
}

export interface FeatureWorkerFields extends FeatureSlotState, DegradedFields {}

/** What can be asked for of a record. */
export type FeatureField = 'programMetrics' | 'pastHour';

/** In the outcome of a command. */
export type FeatureSummary = Omit<FeatureFields, keyof FeatureDetails | FeatureField>;

/** In what a primary reports: of the app, and of each slot. */
export interface FeatureSnapshot extends Pick<FeatureFields, 'canary' | 'spares'> {
  /** Whether the health check fails on each of several workers, so that none is replaced. */
  healthFailsEverywhere: boolean;
  /** The source of each variable that the last worker got; missing: from an older primary. */
  variablesFrom?: Record<string, string>;
}

export interface FeatureSlotState {
  /** Missing: the app has no `health`. */
  health?: WorkerHealth;
}
