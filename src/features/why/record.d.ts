import type { Selector, Selectors } from '../../api/types.js';
import type {
  Count,
  Pid,
  Query,
  Reason,
  Selection,
  Slot,
  SlotSelection,
  Stack,
  WorkerEvent,
} from '../../protocol/shapes.js';

export type StackEvent = WorkerEvent & {
  /** Where an event loop is blocked. */
  type: 'worker.stack';
  reason: Reason;
};

export interface WorkerStack extends Stack {
  /** Worker id. */
  id: number;
  slot: Slot;
  /** null: it does not run. */
  pid: Pid | null;
  generation: Count;
  /** Servers that it is connected to: `payments:443 ×3`. Only if its event loop turns. */
  peers?: string[];
}

/** Where the workers of an app are. */
export interface AppStacks {
  name: string;
  workers: WorkerStack[];
}

/** Of the worker that is being profiled. */
export interface ProfileOffer {
  app: string;
  slot: number;
  pid: Pid;
  generation: Count;
  /** Where it will be when it is whole: the user of the worker writes it. */
  file: string;
  uid: number;
}

export interface ProfileKind {
  kind: 'cpu' | 'heap';
  /** Of a CPU profile: an hour at the most. @integer @minimum 0 @maximum 3600000 */
  durationMs?: number;
}

export interface ProfileEnd extends Pick<ProfileKind, 'kind'> {
  pid: Pid;
  isWanted: boolean;
}

export type SlotStack = Omit<WorkerStack, 'id'>;

export type WhyDaemonMethods = {
  /** Where the JavaScript of the workers is. */
  why: Query<Selection, { apps: AppStacks[] }>;
  /** Begins. `selector` names one worker. */
  profile: Query<{ selector: string } & ProfileKind, ProfileOffer>;
  'end-profile': Query<{ app: string } & ProfileEnd, null>;
};

export type WhyPrimaryMethods = {
  why: Query<SlotSelection, { workers: SlotStack[] }>;
  profile: Query<{ slot: Slot } & ProfileKind, Pick<ProfileOffer, 'pid' | 'generation'>>;
  'end-profile': Query<ProfileEnd, null>;
};

export interface WhyCalls {
  /** Where the JavaScript of blocked workers is. */
  why(target: Selectors): Promise<AppStacks[]>;
  /** Records one worker into a new file: a CPU profile, or a snapshot of its heap. */
  profile(worker: Selector, options: ProfileOptions): Promise<SavedProfile>;
}

/** Either `cpu` or `heap`. */
export interface ProfileOptions {
  /** How long to record, from 10 ms to 1 h: `'10s'`, or milliseconds. */
  cpu?: string | number;
  heap?: boolean;
  /** The path of the file, which must not exist. Default: a name with app, slot, generation and time. */
  output?: string;
  /** Ends a CPU profile early, which is saved, and gives up a snapshot of the heap. */
  signal?: AbortSignal;
}

/** As `profile --json` prints it. */
export interface SavedProfile extends Omit<ProfileOffer, 'file' | 'uid'> {
  /** Its absolute path. */
  file: string;
  bytes: number;
}
