/** What is recorded of processes in files, for those that must find or end them, and what a primary is started with. */
import type { Spec } from '../../config/spec.js';
import type { ListeningRecord } from '../../protocol/shapes.js';

export interface ProcessIdentity {
  /** @integer @minimum 1 */
  pid: number;
  /** Opaque. */
  startTime: string;
  /** Opaque. */
  bootId: string;
  /** Set if its owner reported it and is not trusted: it must belong to them. @integer @minimum 0 */
  uid?: number;
}

/** Another version may record other things. @checkedKeys pid startTime bootId uid socket */
export interface PrimaryRecord extends ProcessIdentity {
  socket: string;
  version?: string;
  /** The package that it was started from. */
  root?: string;
  /** Set if the process may be the primary of other apps too, and outlive this one: in which mode they are. */
  shares?: 'cluster' | 'fork';
  node?: string;
}

export interface RecordedWorker extends ProcessIdentity {
  /** @integer @minimum 0 */
  slot: number;
  /** @integer @minimum 0 */
  generation: number;
  mark: string;
  /** It leads a process group. */
  ownsGroup: boolean;
}

/** What the daemon gives a primary, in a file or on stdin. */
export interface PrimaryLaunch {
  spec: Spec;
  generation: number;
  home: string;
  slots: number[];
  stoppedSlots: number[];
  /** Of an earlier life. */
  listeningRecord: ListeningRecord | null;
  /** When the life of the app began, in epoch ms. */
  createdAt: number | null;
  /** The primary whose successor this one is, and that still serves. */
  after?: PrimaryRecord;
  /** Whether its process may be the primary of other such apps too. */
  shares?: PrimaryRecord['shares'];
}

/** Descriptors of `run` for the stdout and stderr of the workers, and for the stdin of a single one; the app ends with it. */
export interface Output {
  out: number;
  error: number;
  input?: number;
}
