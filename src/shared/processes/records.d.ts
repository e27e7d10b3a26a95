/** What is recorded of processes in files, for those that must find or end them, and what a primary is started with. */
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

/** Of one that runs as another user, the daemon has one that it trusts. Another version may record other things. @checkedKeys pid startTime bootId uid socket */
export interface PrimaryRecord extends ProcessIdentity {
  socket: string;
  version?: string;
  /** The package that it was started from. */
  root?: string;
  node?: string;
  mode?: 'cluster' | 'fork';
  /** How many apps it may have. */
  most?: number;
  /** Its apps, and the workers that must be ended if it is killed. */
  apps?: Record<string, RecordedWorker[]>;
}

export interface RecordedWorker extends ProcessIdentity {
  mark: string;
  /** It leads a process group. */
  ownsGroup: boolean;
}

/** What a primary is started with, in its arguments. */
export interface PrimaryLaunch {
  /** The name of its directory. */
  id: number;
  home: string;
  mode: 'cluster' | 'fork';
  most: number;
  /** How to start the daemon again; null: it starts none. */
  daemon: { execPath: string; script: string } | null;
  /** It runs as another user than the daemon, who may not enter the home. */
  isOtherUser?: boolean;
}

/** Descriptors of `run` for the stdout and stderr of the workers, and for the stdin of a single one; the app ends with it. */
export interface Output {
  out: number;
  error: number;
  input?: number;
}
