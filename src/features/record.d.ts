/** The types that features add to those of the kernel. */
import type { AlarmsSpec } from './alarms/record.js';
import type { CronSpec } from './cron/record.js';
import type { HealthSpec } from './health/record.js';
import type { JobSpec } from './jobs/record.js';
import type { ProgramMetricsSpec } from './program-metrics/record.js';
import type { WatchSpec } from './watch/record.js';
import type { WearSpec } from './wear/record.js';

/** In a spec. */
export interface FeatureSpec
  extends WearSpec, HealthSpec, ProgramMetricsSpec, CronSpec, WatchSpec, JobSpec, AlarmsSpec {}
