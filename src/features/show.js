/** The features that have something to say of an app. */
import { alarms } from './alarms/show.js';
import { autoscaling } from './autoscaling/show.js';
import { canary } from './canary/show.js';
import { cron } from './cron/show.js';
import { degraded } from './degraded/show.js';
import { health } from './health/show.js';
import { jobs } from './jobs/show.js';
import { programMetrics } from './program-metrics/show.js';
import { spares } from './spares/show.js';
import { why } from './why/show.js';

/** @import { ShowFeature } from '../show/features.js' */

/** @type {ShowFeature[]} in the order of `describe` */
export const features = [
  jobs,
  cron,
  autoscaling,
  canary,
  health,
  degraded,
  spares,
  why,
  alarms,
  programMetrics,
];
