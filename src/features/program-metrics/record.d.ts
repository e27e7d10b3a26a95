import type { Count, Query } from '../../protocol/shapes.js';

/** The metrics of nodecluster itself begin with its name. @pattern ^(?!nodecluster_)[a-zA-Z_:][a-zA-Z0-9_:]{0,199}$ */
type MetricName = string;
/** Prometheus keeps names with two underscores at the start for itself. @pattern ^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,99}$ */
type LabelName = string;
/** @maxLength 1000 */
type LabelValue = string;

/** What follows the name of its metric, its labels, and its value. */
export type ProgramSample = [
  suffix: '' | '_bucket' | '_sum' | '_count',
  labels: Record<LabelName, LabelValue>,
  value: number,
];

/** A metric of the program, as prom-client has it in its registry; of one worker, or of all, added up. */
export interface ProgramFamily {
  name: MetricName;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** @maxLength 1000 */
  help: string;
  samples: ProgramSample[];
  /** How prom-client adds it up. */
  aggregator: 'sum' | 'average' | 'min' | 'max' | 'first';
}

export interface ProgramMetrics {
  /** @maxItems 10000 */
  families: ProgramFamily[];
  /** Why some are missing or old; null: none is. */
  failure: string | null;
}

export type ProgramMetricsMethods = {
  /** Of the programs' own registries. */
  'program-metrics': Query<{}, ProgramMetrics>;
};
