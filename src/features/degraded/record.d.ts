import type { Count, Pid, Query, Reason, Time, WorkerEvent } from '../../protocol/shapes.js';

export interface DegradedFields {
  /** Its HTTP requests; missing: not known, or it has no agent. */
  requests?: WorkerRequests;
  /** Bytes by which its memory has grown each minute; missing: it does not only grow. */
  memoryGrowth?: number;
  /** It serves, but not as it should: what is wrong first of all. `unknown`: its primary answers late. Missing: nothing. */
  degraded?: 'waits' | 'errors' | 'files' | 'replacement' | 'memory' | 'unknown';
  /** When what is wrong began: it is degraded, or crashes; missing: nothing is, or not known. */
  troubleSince?: Time;
  /** Almost all descriptors that it may have are open; missing: no, or not known. */
  files?: { open: Count; limit: Count };
  /** It is due to be replaced, as by `max_memory_restart`, and what was to replace it failed; missing: no. */
  failedReplacement?: FailedReplacement;
  /** What a worker that answers with errors last wrote to stderr, in one line. */
  lastError?: string;
  /** Its last exit that no command caused, if that was in the last minute; cause: what its program wrote about it. */
  crash?: { at: Time; reason?: Reason; cause?: string };
}

export interface FailedReplacement {
  /** In a row. */
  count: Count;
  /** Why the last one failed, and why the worker is due. */
  reason: Reason;
}

export interface WorkerRequests {
  /** In progress now. */
  open: Count;
  /** When the oldest one came that has no answer yet; missing: there is none. */
  oldestSince?: Time;
  /** Since when requests wait and none was answered; missing: none waits. */
  unansweredSince?: Time;
  /** In the last minute. */
  answered: Count;
  /** Of these, with 5xx. */
  errors: Count;
}

/** What a primary knows of one worker. */
export interface WorkerLoad extends Omit<DegradedFields, 'crash'> {
  pid: Pid;
}

export type DegradedMethods = { loads: Query<{}, { workers: WorkerLoad[] }> };

export type DegradedEvent = WorkerEvent & {
  /** It serves, but not as it should, does not serve any more, or does again; `reason`: what is wrong. */
  type: 'worker.degraded' | 'worker.failing' | 'worker.recovered';
  reason?: Reason;
};
