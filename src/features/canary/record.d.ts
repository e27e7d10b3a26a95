import type { WorkerEvent } from '../../protocol/shapes.js';

export type CanaryEvent = WorkerEvent & {
  type:
    /** It serves beside the old workers; `reason`: how long, and what they have answered. */
    | 'worker.judging'
    /** `reason`: what follows, and why. */
    | 'worker.judged';
  reason?: string;
};
