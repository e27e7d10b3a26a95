/** The features of a primary. */
import { canary } from './canary/primary.js';
import { degraded } from './degraded/primary.js';
import { envFrom } from './env-from/primary.js';
import { health } from './health/primary.js';
import { pastHour } from './past-hour/primary.js';
import { pidFile } from './pid-file/primary.js';
import { programMetrics } from './program-metrics/primary.js';
import { spares } from './spares/primary.js';
import { wear } from './wear/primary.js';
import { why } from './why/primary.js';

export const features = {
  wear,
  canary,
  health,
  programMetrics,
  why,
  degraded,
  envFrom,
  pastHour,
  pidFile,
  spares,
};
