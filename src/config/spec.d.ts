import type { FeatureSpec } from '../features/record.js';

/** @pattern ^[^=\0]+$ */
export type VariableName = string;

/** A message has no more characters. @maxLength 4194304 @pattern ^[^\0]*$ */
export type VariableValue = string;

export type Signal =
  | 'SIGTERM'
  | 'SIGINT'
  | 'SIGQUIT'
  | 'SIGHUP'
  | 'SIGUSR1'
  | 'SIGUSR2'
  | 'SIGWINCH'
  | 'SIGABRT'
  | 'SIGKILL';

/** What an app waits for: another one is online, its processes exist, or it has done its work. */
export type Condition = 'ready' | 'started' | 'exited';

/** The numbers of workers between which an app scales itself. */
export interface InstanceRange {
  /** @integer */
  min: number;
  /** @integer */
  max: number;
  /** Above this utilisation of the event loops, 0 to 1, it gets more workers. */
  elu: number;
  /** How long fewer must have been enough before it gets fewer. */
  cooldownMs: number;
}

/** The settings of an app, complete, as the daemon stores them and passes them to the primary. */
export interface Spec extends FeatureSpec {
  name: string;
  namespace: string;
  /** Absolute, symbolic links not resolved; or the bare name of a program. */
  script: string;
  args: string[];
  /** Absolute, symbolic links not resolved. */
  cwd: string;
  /** 0: one for each core; -1: one less than that. @integer */
  instances: number | InstanceRange;
  /** A number, or `50%`. */
  readyMin: number | string;
  execMode: 'cluster' | 'fork';
  /** Cluster: another Node, or null; fork: what runs the script. */
  interpreter: string | null;
  nodeArgs: string[];
  /** null: if a `.map` lies beside the script. */
  sourceMaps: boolean | null;
  scheduling: 'round-robin' | 'fair' | 'sticky';
  /** From the file and the flags. */
  env: Record<VariableName, VariableValue>;
  /** From the shell that started the app; env overrides it. */
  shellEnv: Record<VariableName, VariableValue>;
  instanceVar: string;
  incrementVar: string | null;
  autorestart: boolean;
  stopExitCodes: number[];
  minUptimeMs: number;
  maxRestarts: number;
  restartWindowMs: number;
  restartDelayMs: number;
  expBackoffRestartDelayMs: number;
  maxRestartDelayMs: number;
  hangTimeoutMs: number | null;
  killSignal: Signal | 'auto';
  killTimeoutMs: number;
  treekill: boolean;
  keepAliveTimeoutMs: number | null;
  drainTimeoutMs: number;
  shutdownDelayMs: number;
  holdTimeoutMs: number;
  waitReady: boolean;
  listenTimeoutMs: number;
  shutdownWithMessage: boolean;
  /** @integer @minimum 0 */
  maxSurge: number;
  /** By the name of the app. */
  dependsOn: Record<string, 'ready' | 'started' | 'exited'>;
  mergeLogs: boolean;
  /** Absolute path. */
  outFile: string | null;
  /** Absolute path. */
  errorFile: string | null;
  /** Absolute path. */
  logFile: string | null;
  logType: 'text' | 'raw' | 'json';
  time: boolean;
  logDateFormat: string | null;
  /** rotate: also at these times; a cron pattern. */
  logRotate: {
    maxSizeBytes: number;
    rotate: string | null;
    keep: number;
    compress: boolean;
  } | null;
  /** Its program runs when something asks for it, not when the app is started. */
  onDemand: boolean;
  uid: number | null;
  gid: number | null;
  /** Each `80`, `127.0.0.1:80` or `[::1]:80`. */
  privilegedPorts: string[];
  configFile: string | null;
  /** What was asked for, if that led to another program, which is then `script`, `args` …; null: it is that program. */
  resolvedFrom: ResolvedFrom | null;
  /** Why the app runs in fork mode though Node may be behind it; null: there is nothing to explain. */
  modeReason: string | null;
  /** What set each value that is not a default, by key or `env.<name>`. */
  given: Record<string, 'file' | 'flag' | 'scaled'>;
}

/** What no option says. @checkedKeys shellEnv configFile resolvedFrom modeReason given onDemand */
export type ValuesWithoutOption = Spec;

export interface ResolvedFrom extends Pick<Spec, 'script' | 'args' | 'nodeArgs' | 'cwd'> {
  /** Variables that the commands on the way to the program set; they override `env`. */
  env: Record<VariableName, VariableValue>;
  /** Before PATH. */
  binDirectories: string[];
  /** Of scripts in package.json on the way. */
  lines: string[];
}
