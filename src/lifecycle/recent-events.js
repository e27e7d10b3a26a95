/** Which events are kept: pure. */

export const MAX_EVENTS = 500;

/** @typedef {{type: string, at: number, app?: string, earlier?: number, since?: number}} Kept */

/**
 * A crash loop, or a reload of many workers, must not cost the last deploy, so of what recurs most, the oldest goes first.
 * @template {Kept} E
 * @param {readonly E[]} events the oldest first
 * @param {E} event may be older than some of them: primaries send theirs again, app by app
 * @param {number} [max] how many are kept
 * @returns {E[]} the next of the same kind says how many went, and since when
 */
export function withEvent(events, event, max = MAX_EVENTS) {
  const all = [...events, event].sort((one, other) => one.at - other.at);
  if (all.length <= max) return all;
  const kinds = all.map(kindOf);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const gone = kinds.findIndex((kind) => counts.get(kind) === most);
  const next = kinds.indexOf(kinds[gone], gone + 1);
  if (next > gone) all[next] = { ...all[next], ...sumOf(all[gone], all[next]) };
  all.splice(gone, 1);
  return all;
}

/**
 * @param {readonly (Kept & {slot?: number, pid?: number | null})[]} events
 * @param {Kept & {slot?: number, pid?: number | null}} event that was sent again
 * @returns whether it is one of them, or counted in the `earlier` of one
 */
export function includesEvent(events, event) {
  const kind = kindOf(event);
  return events.some((kept) => {
    if (kindOf(kept) !== kind) return false;
    if (kept.at !== event.at) return kept.at > event.at && (kept.since ?? kept.at) <= event.at;
    return kept.slot === event.slot && kept.pid === event.pid;
  });
}

/** Each event is asked for its kind at each later one. @type {WeakMap<Kept, string>} */
const kindsOf = new WeakMap();

/** @param {Kept} event */
function kindOf(event) {
  const kind = kindsOf.get(event) ?? `${event.app} ${event.type}`;
  kindsOf.set(event, kind);
  return kind;
}

/** @param {Kept} gone @param {Kept} next */
function sumOf({ at, since = at, earlier = 0 }, next) {
  return { since, earlier: earlier + 1 + (next.earlier ?? 0) };
}
