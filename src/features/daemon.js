/** The features of the daemon, by name. */
import { alarms } from './alarms/daemon.js';
import { audit } from './audit/daemon.js';
import { autoscaling } from './autoscaling/daemon.js';
import { canary } from './canary/daemon.js';
import { cron } from './cron/daemon.js';
import { degraded } from './degraded/daemon.js';
import { health } from './health/daemon.js';
import { jobs } from './jobs/daemon.js';
import { pastHour } from './past-hour/daemon.js';
import { programMetrics } from './program-metrics/daemon.js';
import { spares } from './spares/daemon.js';
import { watch } from './watch/daemon.js';
import { why } from './why/daemon.js';

export const features = {
  cron,
  watch,
  autoscaling,
  jobs,
  canary,
  health,
  alarms,
  programMetrics,
  why,
  degraded,
  pastHour,
  audit,
  spares,
};
