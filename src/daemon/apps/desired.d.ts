/** The desired state on disk: it survives the daemon, the primaries and a reboot. */
import type { Spec } from '../../config/spec.js';
import type { AppChange, Count, ListeningRecord, Slot, Time } from '../../protocol/shapes.js';

/** The table of options completes it and checks it. @checkedKeys */
export type SavedSpec = Spec;

/**
 * A spec that is being rolled out. It is saved before the primary gets it, so that the next daemon
 * knows which spec the generation that it finds has.
 */
export interface Rollout {
  spec: SavedSpec;
  generation: Count;
  /** The slots that the app has afterwards, if their number changes. @minItems 1 @maxItems 1000 @uniqueItems */
  resizeTo?: Slot[];
}

export interface DesiredApp {
  spec: SavedSpec;
  generation: Count;
  stopped: boolean;
  /** `kill` stopped it, and no command has named it since. */
  killed: boolean;
  deleting: boolean;
  /** @minItems 1 @maxItems 1000 @uniqueItems */
  slots: Slot[];
  /** @maxItems 1000 @uniqueItems */
  stoppedSlots: Slot[];
  /** By slot. */
  ids: Record<number, Count>;
  /** The rollout in progress. */
  rollout: Rollout | null;
  /** null: not known. */
  listeningRecord: ListeningRecord | null;
  /** When its life began; null: not known. */
  createdAt: Time | null;
  /** The latest first. @maxItems 3 */
  changes: AppChange[];
}

export interface Desired {
  apps: DesiredApp[];
  /** The lowest number that has not been a worker id since there was no app. */
  nextId: Count;
}
