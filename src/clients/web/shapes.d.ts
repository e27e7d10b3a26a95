/**
 * What the server of `nodecluster web` and its page exchange, as JSON. A member whose value would be
 * null is left out, everywhere but in arrays: in a JSON Merge Patch (RFC 7396) null removes a member.
 * All times are epoch milliseconds.
 */
import type {
  App,
  AppEnvironment,
  Description,
  Event,
  KeyedApp,
  LogRecord,
} from '../../protocol/shapes.js';
import type { Level } from '../../lifecycle/log-record.js';
import type { Confirmation } from '../confirmation.js';

/** An event with the line that `nodecluster events` prints for it, without its time. */
export type LineEvent = Event & { text: string };

/** What `snapshot` sends and `change` patches. */
export interface State {
  hostname: string;
  /** The home directory. */
  home: string;
  isReadOnly: boolean;
  /** Since when there is no daemon, and what is known about it. */
  gone?: { since: number; reason?: string };
  /** Names, in the order of `ls`. */
  order: string[];
  /** Of the last frame of the daemon; absent before the first. */
  at?: number;
  apps: Record<string, KeyedApp>;
}

/** `GET api/events`: what each event of the stream carries. */
export interface StreamEvents {
  /** First, after a pause, and whenever this reader was too slow for changes. */
  snapshot: {
    state: State;
    /** Those that the daemon keeps. */
    events: LineEvent[];
  };
  /** A JSON Merge Patch of the state. */
  change: object;
  event: LineEvent;
  /** A step of an action that somebody started on a page, as the command prints it. */
  progress: { text: string };
  outcome: { ok: boolean; text: string };
}

/** `GET api/logs`: what each event of the stream carries. */
export interface LogEvents {
  /** `isFirst`: these are all lines so far, and replace the ones that are shown. */
  lines: { isFirst: boolean; records: LogLine[] };
  /** Something could not be read. */
  problem: { text: string };
}

export interface LogLine extends Omit<LogRecord, 'time'> {
  /** Epoch ms. */
  time: number | null;
  /** What the line says about itself; null: nothing. */
  level: Level | null;
}

/** The reply to `POST api/session` with `{token}`. */
export interface SessionReply {
  /** Every other request sends it, as the header `X-Nodecluster-Key`. */
  key: string;
}

/** `POST api/actions`: the reply says that it has begun. */
export type ActionRequest = Pick<Confirmation, 'action' | 'target' | 'options'>;

/** `GET api/past`: what the workers of each app did in the last hour. */
export type Past = Record<string, App['pastHour']>;

/** `GET api/details?app=<name>` */
export interface Details {
  /** As `describe --json`; secrets are masked. */
  app: Description;
  /** By name; secrets are masked. */
  environment: AppEnvironment['env'];
  /** As `describe` shows them: the changed ones first. */
  settings: { key: string; value: string; source: string }[];
}
