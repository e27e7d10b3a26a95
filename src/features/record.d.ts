/** The types that features add to those of the kernel. */
import type { AlarmEvent, AlarmsSpec } from './alarms/record.js';
import type {
  CanaryEvent,
  CanaryPrimaryMethods,
  CanaryReloadOptions,
  CanaryRolling,
} from './canary/record.js';
import type { CronSpec } from './cron/record.js';
import type { HealthEvent, HealthSpec } from './health/record.js';
import type { JobCalls, JobEvent, JobMethods, JobSpec } from './jobs/record.js';
import type { WatchSpec } from './watch/record.js';
import type { WearSpec } from './wear/record.js';
import type { StackEvent, WhyCalls, WhyDaemonMethods, WhyPrimaryMethods } from './why/record.js';

/** In a spec. */
export interface FeatureSpec
  extends WearSpec, HealthSpec, CronSpec, WatchSpec, JobSpec, AlarmsSpec {}

export type FeatureEvent = CanaryEvent | HealthEvent | StackEvent | JobEvent | AlarmEvent;

/** How a reload replaces workers. */
export interface FeatureRolling extends CanaryRolling {}

export type FeatureDaemonMethods = JobMethods & WhyDaemonMethods;

export type FeaturePrimaryMethods = CanaryPrimaryMethods & WhyPrimaryMethods;

/** Calls of programs, and what they add to reload(). */
export interface FeatureCalls extends JobCalls, WhyCalls {}

export interface FeatureReloadOptions extends CanaryReloadOptions {}
