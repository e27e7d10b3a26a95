import type { Selectors } from '../../api/types.js';
import type {
  AppEvent,
  AppOutcome,
  Author,
  Command,
  Known,
  Reason,
  Selection,
  Sender,
  Time,
  WorkerEvent,
} from '../../protocol/shapes.js';

export interface JobSpec {
  /** null: it is not a job. */
  schedule: string | null;
  /** null: the daemon's own. */
  timezone: string | null;
  overlap: 'skip' | 'queue' | 'replace';
}

export type JobEvent =
  | (AppEvent & {
      type: 'job.started';
      /** Who gave `run-now`; of a run of the schedule its role is `schedule`. */
      by?: Sender | Author;
    })
  | (AppEvent & { type: 'job.skipped'; reason: Reason })
  | (AppEvent &
      Partial<WorkerEvent> & {
        type: 'job.ended';
        ok: boolean;
        code: number | null;
        signal: string | null;
        reason: Reason;
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

/** Of an app that runs at given times. */
export interface Job {
  schedule: string;
  /** Missing: that of the daemon. */
  timezone?: string;
  overlap: 'skip' | 'queue' | 'replace';
  /** Missing: it is stopped, or its pattern has no further time. */
  nextRunAt?: Time;
  /** Runs that were left out because the one before had not ended, since this daemon was started. */
  skipped: number;
  /** The last run that has ended since its primary was started. */
  lastRun?: JobRun;
}

export interface JobRun {
  /** Its end. */
  at: Time;
  durationMs: number;
  ok: boolean;
  code?: number;
  signal?: string;
  reason: Reason;
}
