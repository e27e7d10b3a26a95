/** What is done when something happens to an app. */
export interface Alarm {
  /** Types of events and patterns such as `worker.*`. */
  event: string[];
  /** Only those with `ok: false`. */
  failed: boolean;
  /** A command and its arguments; either this or `post` is null. */
  run: string[] | null;
  /** A URL; `${NAME}` in it is a variable of the app. */
  post: string | null;
  /** Of `post`, by name; `${NAME}` is a variable of the app. */
  headers: Record<string, string>;
  /** Of one attempt. */
  timeoutMs: number;
  /** Events of one type are delivered at most once in this time. */
  intervalMs: number;
}

/** What an alarm has delivered, since this daemon was started. */
export interface AlarmView {
  /** Types and patterns, as in the file. */
  event: string[];
  /** `POST https://example.com/********`, or a command. */
  to: string;
  /** How many deliveries succeeded. */
  delivered: number;
  /** How many were given up; daemon.log has each. */
  givenUp: number;
  /** Events that are not delivered yet. */
  waiting: number;
  /** Why the last attempt failed; missing: it did not. */
  trouble?: string;
}
