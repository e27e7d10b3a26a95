/** Which events are kept: pure. */

export const MAX_EVENTS = 500;

/** @typedef {{type: string, at: number, app?: string, earlier?: number, since?: number}} Kept */

/**
 * A crash loop, or a reload of many workers, must not cost the last deploy, so of what recurs most, the oldest goes first.
 * @template {Kept} E
 * @param {readonly E[]} events the oldest first
 * @param {E} event the next
 * @param {number} [max] how many are kept
 * @returns {E[]} the next of the same kind says how many went, and since when
 */
export function withEvent(events, event, max = MAX_EVENTS) {
  const all = [...events, event];
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
