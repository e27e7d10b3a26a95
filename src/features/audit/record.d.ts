import type { Query } from '../../protocol/request.js';
import type { Count } from '../../protocol/shapes.js';

export type AuditMethods = {
  /** Entries that could not be written, and that audit.log does not say yet. */
  'audit-lost': Query<{}, { lost: LostEntries | null }>;
};

export interface LostEntries {
  lines: Count;
  /** As in audit.log: ISO 8601. */
  since: string;
  reason: string;
}
