import type { Reason, WorkerEvent } from '../../protocol/shapes.js';

export interface Spares {
  /**
   * Why there can be none: it would run twice what may run once, or could not be kept from serving. `silent`: it listens
   * on nothing; `udp`: it gets datagrams; `below`: a child or a thread listens, or it does by itself (`reusePort`).
   */
  refused?: 'silent' | 'udp' | 'below';
  /** In which slots one waits that can serve at once. */
  ready: number[];
}

/** Its spare serves now, which is the worker of the event, in another slot; `reason`: which one. */
export type SpareEvent = WorkerEvent & { type: 'worker.replaced'; reason: Reason };
