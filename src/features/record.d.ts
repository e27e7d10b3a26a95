/** The types that features add to those of the kernel. */
import type { AlarmEvent, AlarmsSpec } from './alarms/record.js';
import type { CanaryEvent } from './canary/record.js';
import type { CronSpec } from './cron/record.js';
import type { HealthEvent, HealthSpec } from './health/record.js';
import type { JobEvent, JobSpec } from './jobs/record.js';
import type { WatchSpec } from './watch/record.js';
import type { WearSpec } from './wear/record.js';
import type { StackEvent } from './why/record.js';

/** In a spec. */
export interface FeatureSpec
  extends WearSpec, HealthSpec, CronSpec, WatchSpec, JobSpec, AlarmsSpec {}

export type FeatureEvent = CanaryEvent | HealthEvent | StackEvent | JobEvent | AlarmEvent;
