import type { AppEvent, WorkerEvent } from '../../protocol/shapes.js';

export interface JobSpec {
  /** null: it is not a job. */
  schedule: string | null;
  /** null: the daemon's own. */
  timezone: string | null;
  overlap: 'skip' | 'queue' | 'replace';
}

export type JobEvent =
  | (AppEvent & {
      type: 'job.started' | 'job.skipped';
      /** `schedule` or `run-now`, or why it was left out. */
      reason: string;
    })
  | (AppEvent &
      Partial<WorkerEvent> & {
        type: 'job.ended';
        ok: boolean;
        code: number | null;
        signal: string | null;
        reason: string;
        durationMs?: number;
        lastLines?: string[];
      });
