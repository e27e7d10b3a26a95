/** What a process reports, with its reasons in the words that users read. */
import { reasonText } from '../../src/show/reason.js';

const REASONS = ['reason', 'after'];

export function worded(value) {
  if (Array.isArray(value)) return value.map(worded);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => {
    const isReason = REASONS.includes(key) && each?.kind !== undefined;
    return [key, isReason ? reasonText(each) : worded(each)];
  });
  return Object.fromEntries(entries);
}
