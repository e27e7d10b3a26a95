/** Which events are kept: pure. */

export const MAX_EVENTS = 500;

/** @typedef {{type: string, at: number, app?: string, earlier?: number, since?: number}} Kept */

/**
 * A crash loop must not cost the last deploy, so of what recurs most, the oldest goes first, and the next of its kind says
 * how many went, and since when.
 * @template {Kept} E
 * @param {readonly E[]} events the oldest first
 * @param {E} event may be older: primaries send theirs again
 * @param {number} [max] how many are kept
 */
export function withEvent(events, event, max = MAX_EVENTS) {
  const all = [...events, event];
  if (event.at < (events.at(-1)?.at ?? 0)) all.sort((one, other) => one.at - other.at);
  if (all.length <= max) return all;
  const kinds = all.map(kindOf);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const gone = kinds.findIndex((kind) => counts.get(kind) === most);
  const next = kinds.indexOf(kinds[gone], gone + 1);
  if (next > gone) {
    const { at, since = at, earlier = 0 } = all[gone];
    all[next] = { ...all[next], since, earlier: earlier + 1 + (all[next].earlier ?? 0) };
  }
  all.splice(gone, 1);
  return all;
}

/**
 * Whether it is one of them, or counted in the `earlier` of one. What a program sends is not sent again.
 * @template {Kept & {slot?: number, pid?: number | null}} E
 * @param {readonly E[]} events
 * @param {E} event sent again
 */
export function includesEvent(events, event) {
  if (event.type === 'worker.event') return false;
  return events.some((kept) => {
    if (kept.app !== event.app || kept.type !== event.type) return false;
    if (kept.at !== event.at) return kept.at > event.at && (kept.since ?? kept.at) <= event.at;
    return kept.slot === event.slot && kept.pid === event.pid;
  });
}

/** @param {Kept} event */
function kindOf({ app, type }) {
  return `${app} ${type}`;
}
