/** What the methods of the kernel and of features are made of. */
import type { FeatureField } from '../features/record.js';
import type { App, AppOutcome, CommandNotifications, Slot } from './shapes.js';

export interface Selection {
  /** Names, worker ids, `name:slot`, namespaces, `/regex/` or `all`. */
  selectors: string[];
}

/** Without `slots`, all slots. */
export interface SlotSelection {
  slots?: Slot[];
}

export interface Outcomes {
  apps: AppOutcome[];
}

/**
 * What costs something to know: `usage`: CPU and memory of the workers; `vitals`: what they measure about themselves;
 * `counters`: the same as counts that only grow, and the usage of daemon and primaries; `details`; and fields of features.
 */
export type Field = 'usage' | 'vitals' | 'counters' | 'details' | FeatureField;

/** A command that replies with the outcome of each app, and reports the steps before that. */
export interface Command<Params, Result = Outcomes> {
  /** `table`: asks for the records of its apps after it, with these fields. */
  params: Params & { table?: Field[] };
  result: Result & { table?: App[] };
  notifications: CommandNotifications;
}

/** A request that has a reply but no notifications. */
export interface Query<Params, Result> {
  params: Params;
  result: Result;
  notifications: {};
}
