import type { AppEvent, Count, Reason, Time, WorkerEvent } from '../../protocol/shapes.js';

/** `http` (a path or a URL) or `exec` (a command and its arguments); the other one is null. */
export interface CheckRule {
  http: string | null;
  exec: string[] | null;
  intervalMs: number;
  timeoutMs: number;
  /** In a row, after which a worker is unhealthy. */
  failures: number;
  /** Failures of a new worker do not count until then. */
  startPeriodMs: number;
}

export type HealthEvent =
  | (WorkerEvent & { type: 'worker.unhealthy' | 'worker.healthy'; reason?: Reason })
  | (AppEvent & {
      /** The health check fails on every worker, so that none is replaced; or no longer does. */
      type: 'app.unhealthy' | 'app.healthy';
      reason?: Reason;
    });

/** What the health checks of a worker say. */
export interface WorkerHealth {
  /** `starting`: none has succeeded yet. */
  status: 'starting' | 'healthy' | 'unhealthy';
  /** Checks that failed in a row, and count. */
  failures: Count;
  /** Why the last check failed; missing: it did not. */
  reason?: string;
  /** When the first failure in a row was. */
  failingSince?: Time;
}
