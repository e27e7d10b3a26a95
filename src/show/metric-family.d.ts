/** Metrics as they are shown, in the text format of Prometheus. */

export type Labels = Record<string, string | number>;

export interface Distribution {
  bounds: number[];
  /** One for each bound and one beyond the last; not cumulative. */
  counts: number[];
  sum: number;
}

export interface Sample {
  labels: Labels;
  /** `_bucket`, `_sum` or `_count` of a histogram or a summary of a program. */
  suffix?: string;
  /** Of a sample that is one line. */
  value?: number | 'NaN' | '+Inf' | '-Inf';
  /** Of a histogram of nodecluster itself. */
  distribution?: Distribution;
}

export interface Family {
  /** That of a counter ends with `_total`, unless it is the program's. */
  name: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  help: string;
  samples: Sample[];
}
