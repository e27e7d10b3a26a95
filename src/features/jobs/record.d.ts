import type { Selectors } from '../../api/types.js';
import type { Command, Selection } from '../../protocol/request.js';
import type { AppEvent, AppOutcome, WorkerEvent } from '../../protocol/shapes.js';

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

export type JobMethods = {
  /** Of jobs. `untilEnd` false: replies when the runs have begun. */
  'run-now': Command<Selection & { untilEnd?: boolean }>;
};

export interface JobCalls {
  /** Runs jobs. Resolves when the runs have ended, with `wait: false` when they have begun. */
  runNow(target: Selectors, options?: { wait?: boolean }): Promise<AppOutcome[]>;
}
