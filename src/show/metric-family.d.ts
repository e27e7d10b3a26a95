/** Metrics as they are shown: in the text format of Prometheus, or sent over OTLP. */

export type Labels = Record<string, string | number>;

/** One line. */
export interface Sample {
  labels: Labels;
  /** `_bucket`, `_sum` or `_count` of a histogram or a summary. */
  suffix?: string;
  value: number;
}

export interface Family {
  /** That of a counter ends with `_total`, unless it is the program's. */
  name: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  help: string;
  samples: Sample[];
}

export type Reading = number | null | undefined | [Labels, value: number, suffix?: string][];

/** Its values come from what T describes. */
export interface Metric<T> extends Pick<Family, 'type' | 'help'> {
  /** Without `nodecluster_`. */
  name: string;
  read: (source: T) => Reading;
}
