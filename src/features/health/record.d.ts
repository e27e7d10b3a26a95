import type { AppEvent, WorkerEvent } from '../../protocol/shapes.js';

export interface HealthSpec {
  /** `http` (a path or a URL) or `exec` (a command and its arguments); the other one is null. */
  health: {
    http: string | null;
    exec: string[] | null;
    intervalMs: number;
    timeoutMs: number;
    /** In a row, after which a worker is unhealthy. */
    failures: number;
    /** Failures of a new worker do not count until then. */
    startPeriodMs: number;
  } | null;
}

export type HealthEvent =
  | (WorkerEvent & { type: 'worker.unhealthy' | 'worker.healthy'; reason?: string })
  | (AppEvent & {
      /** The health check fails on every worker, so that none is replaced; or no longer does. */
      type: 'app.unhealthy' | 'app.healthy';
      reason?: string;
    });
