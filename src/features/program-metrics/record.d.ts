import type { Query } from '../../protocol/request.js';
import type { Count } from '../../protocol/shapes.js';

export interface ProgramMetricsFields {
  /** Of the program's own registry. If `programMetrics` were asked for. @internal */
  programMetrics?: ProgramMetrics;
}

/** What follows the name of its metric, its labels, and its value. */
export type ProgramSample = [
  suffix: string,
  labels: Record<string, string>,
  value: number | 'NaN' | '+Inf' | '-Inf',
];

/** A metric of the program, as prom-client has it in its registry. */
export interface ProgramFamily {
  name: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  help: string;
  samples: ProgramSample[];
}

/** Of all workers of an app, added up. */
export interface ProgramMetrics {
  /** @maxItems 10000 */
  families: ProgramFamily[];
  /** Metrics that are left out because they are invalid, or too large together. */
  dropped: Count;
  /** Workers that did not reply in time: of them, the values of their last reply count. */
  late: Count;
  /** Why the registry of a worker could not be read; null: all could. */
  failure: string | null;
}

export type ProgramMetricsMethods = {
  /** Of the programs' own registries. */
  'program-metrics': Query<{}, ProgramMetrics>;
};
