/** Equal events as one: what a crash loop says again and again. Pure. */
import { eventText } from '../../../../show/event.js';

/**
 * @import { LineEvent } from '../../shapes.js'
 *
 * @typedef {object} FoldedEvent
 * @property {string} key what it says but for the worker
 * @property {LineEvent} event the latest of them
 * @property {string} text `api:1 exited: exit code 1`; of several workers `api exited: exit code 1`
 * @property {number} count
 * @property {number} since epoch ms, of the first of them
 */

/** A loop, or a reload, repeats a few events by turns: starting, online, exited. */
const LOOK_BACK = 5;

/**
 * @param {readonly LineEvent[]} events the oldest first
 * @returns {FoldedEvent[]} by their latest event, the oldest first
 */
export function foldEvents(events) {
  /** @type {FoldedEvent[]} */
  const folded = [];
  for (const event of events) {
    const key = keyOf(event);
    const like = findLike(folded, key, event);
    if (like) folded.splice(folded.indexOf(like), 1);
    folded.push(like ? more(like, event) : { key, event, text: event.text, ...beforeOf(event) });
  }
  return folded;
}

/**
 * What was before a command stays before it; what other apps do by turns does not matter.
 * @param {FoldedEvent[]} folded
 * @param {string} key
 * @param {LineEvent} event
 */
function findLike(folded, key, event) {
  const own = folded.filter((each) => appOf(each.event) === appOf(event));
  for (const each of own.slice(-LOOK_BACK).reverse()) {
    if (each.key === key) return each;
    if (!('slot' in each.event)) return null;
  }
  return null;
}

/** @param {FoldedEvent} like @param {LineEvent} event @returns {FoldedEvent} */
function more({ key, event: before, text, count, since }, event) {
  const isSameWorker = slotOf(before) === slotOf(event) && text !== key;
  const own = beforeOf(event);
  return {
    key,
    event,
    text: isSameWorker ? event.text : key,
    count: count + own.count,
    since: Math.min(since, own.since),
  };
}

/** With those that are not kept any more. @param {LineEvent} event */
function beforeOf(event) {
  const { since = event.at, earlier = 0 } = 'app' in event ? event : {};
  return { count: 1 + earlier, since };
}

/** What differs among equal events. */
const OWN = ['slot', 'pid', 'since', 'earlier'];

/** What it says but for the worker. @param {LineEvent} event */
function keyOf(event) {
  // The line alone has what a program sent with its event.
  if (!('slot' in event) || 'data' in event) return event.text;
  const rest = Object.entries(event).filter(([name]) => !OWN.includes(name));
  return eventText(/** @type {LineEvent} */ (Object.fromEntries(rest)));
}

/** @param {LineEvent} event */
function appOf(event) {
  return 'app' in event ? event.app : null;
}

/** @param {LineEvent} event */
function slotOf(event) {
  return 'slot' in event ? event.slot : null;
}
