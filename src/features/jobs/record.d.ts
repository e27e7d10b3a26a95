export interface JobSpec {
  /** null: it is not a job. */
  schedule: string | null;
  /** null: the daemon's own. */
  timezone: string | null;
  overlap: 'skip' | 'queue' | 'replace';
}
