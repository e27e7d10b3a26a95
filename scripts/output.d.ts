/** What each command prints with --json, by its name: docs/reference/json.schema.json is made from it. Imports no code, which takes seconds to check. */
import type { AppStacks } from '../src/features/why/record.js';
import type {
  App,
  AppEnvironment,
  AppOutcome,
  DaemonIdentity,
  DaemonStatus,
  Event,
  LogRecord,
  Plan,
  Sender,
  Sent,
} from '../src/protocol/shapes.js';

interface Outcomes {
  apps: AppOutcome[];
}

/** With an ecosystem file also what was planned. */
type Planned = Outcomes & Partial<Plan>;

interface WrittenFile {
  path: string;
  text: string;
}

interface Finding {
  /** warning: it works, but not for ever or not with all. */
  severity: 'error' | 'warning';
  /** For programs. */
  code: string;
  text: string;
  /** To type. */
  command: string;
}

interface ProvedEvent {
  event: string;
  /** Made, from a second before the event until a second after the app was whole. */
  requests: number;
  lost: number;
  /** Of these, lost with the killed process that had them. */
  inFlight: number;
  /** Of the others, and how often. */
  reasons: Record<string, number>;
  longestWaitMs: number;
  wholeMs: number;
  /** Why the event itself failed. */
  trouble: string | null;
}

export interface Output {
  ls: {
    apps: App[];
    /** null: none runs. */
    daemon: (DaemonIdentity & { startedAt: number }) | null;
    notes: string[];
  };
  describe: { apps: App[] };
  start: Planned;
  restart: Planned;
  reload: Planned;
  apply: Partial<Outcomes> & Plan;
  stop: Outcomes;
  delete: Outcomes;
  scale: Outcomes;
  reset: Outcomes;
  'run-now': Outcomes;
  resurrect: Outcomes;
  serve: Outcomes;
  flush: Outcomes;
  env: { apps: AppEnvironment[] };
  send: { apps: Sent[] };
  signal: { apps: Sent[] };
  why: { apps: AppStacks[] };
  /** Each line. */
  logs: LogRecord;
  /** Each line. */
  run: LogRecord;
  /** Each line. */
  events: Event;
  /** Each line. */
  audit:
    | {
        /** The name of the command. */
        event: string;
        time: string;
        by?: Sender;
        apps?: string[];
        /** Why it was. */
        refused?: string;
        /** Parts of the command, and of the entry. */
        [part: string]: unknown;
      }
    | {
        /** Lines that could not be written. */
        event: 'log.lost';
        time: string;
        lines: number;
        since: string;
        reason: string;
        [part: string]: unknown;
      };
  profile: {
    file: string;
    bytes: number;
    app: string;
    slot: number;
    pid: number;
    generation: number;
  };
  prove: { app: string; url: string; ok: boolean; events: ProvedEvent[] };
  doctor: { findings: Finding[] };
  ping: DaemonStatus;
  /** null: no daemon runs; `apps`: those whose primary `--apps` replaced. */
  update: {
    before: DaemonIdentity | null;
    after: (DaemonIdentity & { startedAt?: number }) | null;
    apps: AppOutcome[];
  };
  /** `apps`: those that it stopped; `remembered`: those that `resurrect` starts. */
  kill: { apps: string[]; remembered: string[] };
  /** `command`: what root must type. */
  startup: { service: string; installed: boolean; command: string | null; files: WrittenFile[] };
  /** `removed`: paths. */
  unstartup: { service: string; removed: string[]; command: string | null };
  /** Of every command, on stderr. */
  error: {
    error: { code: string; message: string; hint: string | null; exitCode: number; data: unknown };
  };
}
