import type { Fact, Time } from '../../protocol/shapes.js';

/** Of an app that scales itself. */
export interface Autoscaling {
  /** On this machine. */
  min: number;
  /** On this machine. */
  max: number;
  /** The target, 0 to 1. */
  elu: number;
  /** The mean of its workers when they were last measured; missing: not measured yet. */
  utilisation?: number;
  /** Why it gets no more workers although it needs them. */
  held?: Fact;
  /** Since this daemon was started, and its settings changed. */
  lastChange?: {
    at: Time;
    from: number;
    to: number;
    reason: Fact;
  };
}
