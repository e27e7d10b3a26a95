import type { Count, Query, Slot, Time } from '../../protocol/shapes.js';

/** The oldest step first; null: not known. @maxItems 360 */
type Steps = (number | null)[];

export interface PastWorker {
  slot: Slot;
  cpu: Steps;
  memory: Steps;
  elu: Steps;
  requestsPerSecond: Steps;
  errorsPerSecond: Steps;
}

export interface PastHour {
  /** Of the last step. */
  at: Time;
  everyMs: Count;
  /** @maxItems 1000 */
  workers: PastWorker[];
}

export type PastHourMethods = { 'past-hour': Query<{ every: Count }, PastHour> };
