/** What is recorded of processes in files, for those that must find or end them. */

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
