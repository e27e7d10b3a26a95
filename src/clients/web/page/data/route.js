/** What is shown, as the part of the address after `#`, so that it works below any path. */

/** @import { Route } from './model.js' */

/**
 * @param {string} hash of the address
 * @returns {Route}
 */
export function parseRoute(hash) {
  const [, view, ...parts] = hash.split('/');
  const [app = null, slot = null] = parts.map(decode);
  if (view === 'app' && app !== null) return { view, app, slot: slotOf(slot) };
  if (view === 'logs') return { view, app, slot: slotOf(slot) };
  return { view: view === 'events' ? view : 'table', app: null, slot: null };
}

/**
 * @param {Partial<Route> & Pick<Route, 'view'>} route
 * @returns {string} for `href`
 */
export function linkTo({ view, app = null, slot = null }) {
  if (view === 'table') return '#/';
  const parts = [view, app, slot].filter((part) => part !== null);
  return `#/${parts.map((part) => encodeURIComponent(part ?? '')).join('/')}`;
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {string | null} text */
function slotOf(text) {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
