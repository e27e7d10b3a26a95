import type { Time } from '../../protocol/shapes.js';

export interface AutoscalingFields {
  /** Missing: the number is fixed. */
  autoscaling?: Autoscaling;
}

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
  /** Why it stays as it is although it needs more workers, or is not measured. */
  held?: string;
  /** Since this daemon was started. */
  lastChange?: ScalingChange;
}

export interface ScalingChange {
  /** Epoch, in milliseconds. */
  at: Time;
  from: number;
  to: number;
  /** In words that follow these numbers. */
  reason: string;
}
