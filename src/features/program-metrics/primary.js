/** What the programs of workers count in registries of their own (`program_metrics`). */
import { ProgramMetrics } from './primary/program-metrics.js';

/** @import { MakeFeature } from '../../primary/features.js' */

/** @type {MakeFeature} */
export function programMetrics({ pool }) {
  const metrics = new ProgramMetrics(pool);
  return { methods: { 'program-metrics': () => metrics.request() } };
}
