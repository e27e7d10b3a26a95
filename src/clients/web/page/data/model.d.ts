/** What the page shows, besides the figures (history.js) and the log lines (logs.js). */
import type { App } from '../../../../protocol/shapes.js';
import type { Details, LineEvent, State } from '../../shapes.js';
import type { Confirmation } from '../../../../show/confirmation.js';

export interface Connection {
  /** `denied`: there is no session. */
  kind: 'connecting' | 'open' | 'lost' | 'denied';
  /** Why. */
  text: string;
}

/** What the address says after `#`. */
export interface Route {
  view: 'table' | 'app' | 'logs' | 'events';
  app: string | null;
  /** null: all workers of the app. */
  slot: number | null;
  /** Of log lines; '': every level. */
  level: string;
  /** In log lines. */
  search: string;
}

export interface PageState {
  connection: Connection;
  /** null: nothing was received yet. */
  server: State | null;
  /** Those of the server, in the order of `ls`. */
  apps: App[];
  /** The oldest first. */
  events: LineEvent[];
  route: Route;
  /** Key of a row; null: the first one. */
  selected: string | null;
  filter: string;
  /** By the name of an app: whether the user has folded or unfolded it. */
  folds: ReadonlyMap<string, boolean>;
  confirmation: Confirmation | null;
  isHelpOpen: boolean;
  message: { text: string; tone: 'plain' | 'good' | 'bad' } | null;
  /** Of the app that is shown. */
  details: { name: string; data: Details | null; problem: string } | null;
  /** Epoch ms of the latest figures. */
  at: number;
}
