export interface ProgramMetricsSpec {
  programMetrics: boolean;
}
