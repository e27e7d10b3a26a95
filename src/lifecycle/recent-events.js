/** Which events are kept: pure. */

export const MAX_EVENTS = 500;
/** Of one type, of one app: a crash loop must not cost the last deploy. */
const MAX_ALIKE = 100;

/**
 * @template {{type: string, at: number, app?: string}} E
 * @param {readonly E[]} events the oldest first
 * @param {E} event may be older: primaries send theirs again
 */
export function withEvent(events, event) {
  const all = [...events, event];
  if (event.at < (events.at(-1)?.at ?? 0)) all.sort((one, other) => one.at - other.at);
  const alike = all.filter(({ app, type }) => app === event.app && type === event.type);
  if (alike.length > MAX_ALIKE) return all.filter((each) => each !== alike[0]);
  return all.slice(-MAX_EVENTS);
}

/**
 * Whether it is one of them. What a program sends is not sent again.
 * @template {{type: string, at: number, app?: string, slot?: number, pid?: number | null}} E
 * @param {readonly E[]} events
 * @param {E} event sent again
 */
export function includesEvent(events, event) {
  if (event.type === 'worker.event') return false;
  const { at, app, type, slot, pid } = event;
  // The next daemon compares 500 of each app with 500.
  return events.some(
    (each) =>
      each.at === at &&
      each.app === app &&
      each.type === type &&
      each.slot === slot &&
      each.pid === pid,
  );
}
