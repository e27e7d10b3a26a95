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
  /** The highest that a primary of this app ever received. */
  generation: Count;
  stopped: boolean;
  /** It is stopped and will be started, once these apps are what `depends_on` says. @maxItems 1000 */
  waitsFor: string[] | null;
  /** `kill` stopped it, and no command has named it since. */
  killed: boolean;
  /** Its deletion has begun; if the daemon dies, the next one completes it. */
  deleting: boolean;
  /** In ascending order. @minItems 1 @maxItems 1000 @uniqueItems */
  slots: Slot[];
  /** Those that the user stopped one by one. @maxItems 1000 @uniqueItems */
  stoppedSlots: Slot[];
  /** Of the workers, by slot. */
  ids: Record<number, Count>;
  rollout: Rollout | null;
  /** What its program listened on when it last ran; null: not known. */
  listeningRecord: ListeningRecord | null;
  /** When its life began; null: not known. */
  createdAt: Time | null;
  /** The id of the primary in which it is, or was; it may have been asked and not have answered yet. */
  primary: Count | null;
  /** Likewise of one that takes its place. */
  successor: Count | null;
  /** What commands changed, the latest first. @maxItems 5 */
  changes: AppChange[];
}

export interface Desired {
  apps: DesiredApp[];
  /** The lowest number that has not been a worker id since there was no app. */
  nextId: Count;
}
