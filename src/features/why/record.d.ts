import type { WorkerEvent } from '../../protocol/shapes.js';

export type StackEvent = WorkerEvent & {
  /** Where an event loop is blocked; `reason`: its innermost functions. */
  type: 'worker.stack';
  reason?: string;
};
