/** The types that features add to those of the kernel. */
import type { Time } from '../protocol/shapes.js';
import type { AlarmFields, AlarmsSpec } from './alarms/record.js';
import type { AutoscalingFields } from './autoscaling/record.js';
import type {
  CanaryEvent,
  CanaryFields,
  CanaryPrimaryMethods,
  CanaryReloadOptions,
  CanaryRolling,
  CanaryStep,
} from './canary/record.js';
import type { DegradedEvent, DegradedFields, DegradedMethods } from './degraded/record.js';
import type { EnvFromSnapshot, EnvFromSpec } from './env-from/record.js';
import type { HealthEvent, HealthFields, HealthSnapshot, HealthSpec } from './health/record.js';
import type {
  JobCalls,
  JobEvent,
  JobFields,
  JobMethods,
  JobSpec,
  JobSummary,
} from './jobs/record.js';
import type { ProgramMetricsFields, ProgramMetricsMethods } from './program-metrics/record.js';
import type { StackEvent, WhyCalls, WhyDaemonMethods, WhyPrimaryMethods } from './why/record.js';

interface CronSpec {
  cronRestart: string | null;
}

interface CronFields {
  /** When `cron_restart` reloads the app next, or starts it again if it has exited; missing: never. */
  nextReloadAt?: Time;
}

interface WatchSpec {
  /** All of cwd, or absolute paths. */
  watch: boolean | string[];
  ignoreWatch: string[];
  watchDelayMs: number;
}

export interface WearSpec {
  maxMemoryRestartBytes: number | null;
  maxRequests: number | null;
  maxAgeMs: number | null;
}

/** In a spec. */
export interface FeatureSpec
  extends EnvFromSpec, WearSpec, HealthSpec, CronSpec, WatchSpec, JobSpec, AlarmsSpec {}

export type FeatureEvent = CanaryEvent | HealthEvent | DegradedEvent | StackEvent | JobEvent;

/** Of a command, as a primary reports it. */
export type FeatureStep = CanaryStep;

/** How a reload replaces workers. */
export interface FeatureRolling extends CanaryRolling {}

export type FeatureDaemonMethods = JobMethods & WhyDaemonMethods;

export type FeaturePrimaryMethods = CanaryPrimaryMethods &
  WhyPrimaryMethods &
  ProgramMetricsMethods &
  DegradedMethods;

/** Calls of programs, and what they add to reload(). */
export interface FeatureCalls extends JobCalls, WhyCalls {}

export interface FeatureReloadOptions extends CanaryReloadOptions {}

/** In the record of an app; those in `describe` only; and in the record of a worker. */
export interface FeatureFields
  extends
    AutoscalingFields,
    JobFields,
    CronFields,
    CanaryFields,
    ProgramMetricsFields,
    FeatureDetails {}

export interface FeatureDetails extends AlarmFields {}

export interface FeatureWorkerFields extends HealthFields, DegradedFields {}

/** What can be asked for of a record. */
export type FeatureField = 'programMetrics';

/** In the outcome of a command. */
export interface FeatureSummary extends JobSummary {}

/** In what a primary reports: of the app, and of each slot. */
export interface FeatureSnapshot extends CanaryFields, HealthSnapshot, EnvFromSnapshot {}

export interface FeatureSlotState extends HealthFields {}
