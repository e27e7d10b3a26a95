import type { Query, Reason, Slot, Time, WorkerEvent } from '../../protocol/shapes.js';

export type CanaryStep = 'judging' | 'judged';

export type CanaryEvent = WorkerEvent & { type: `worker.${CanaryStep}`; reason: Reason };

/** How the first workers of a reload are judged while they serve beside the old ones. */
export interface CanaryOrder {
  /** Default: 1. @integer @minimum 1 */
  instances: number;
  /** A day at the most: no command of the app can be carried out meanwhile. @minimum 1 @maximum 86400000 */
  forMs: number;
  /** The share of 5xx that they may have beyond that of the old workers, 0 to 1. Default: 0.01. @minimum 0 */
  max5xx: number;
  /** How many times the 99th percentile of the latency of the old workers theirs may be. Default: 2. @minimum 1 */
  maxP99: number;
}

export type CanaryPrimaryMethods = {
  /** Takes back the canaries that are being judged, if there are any: another command waits. */
  'end-trial': Query<{}, null>;
};

/** New workers serve beside the old ones and are judged before the others follow. */
export interface CanaryOptions extends Partial<Omit<CanaryOrder, 'forMs'>> {
  /** How long they are judged, at most a day: `'10m'`, or milliseconds. Default: 2m. */
  for?: string | number;
}

/** A reload whose first workers are being judged. */
export interface Canary {
  /** Where they are online. */
  slots: Slot[];
  /** When all of them were; missing: not all are. */
  since?: Time;
  forMs: number;
  canary: AnswerFigures;
  old: AnswerFigures;
}

/** What several workers answered together. */
export interface AnswerFigures {
  requests: number;
  /** Responses with 5xx. */
  errors: number;
  /** Missing: none was timed. */
  p99Ms?: number;
}
