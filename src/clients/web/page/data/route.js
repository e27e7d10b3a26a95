/** What is shown, as the part of the address after `#`, so that it works below any path. */

/**
 * @typedef {object} Route
 * @property {'table' | 'app' | 'logs' | 'events'} view
 * @property {string | null} app
 * @property {number | null} slot null: all workers of the app
 * @property {string} level of log lines; '': every level
 * @property {string} search in log lines
 */

/** @param {string} hash of the address @returns {Route} */
export function parseRoute(hash) {
  const [path, query] = hash.split('?');
  const [, view, ...parts] = path.split('/');
  const [app = null, slot = null] = parts.map(decode);
  const { level = '', search = '' } = Object.fromEntries(new URLSearchParams(query));
  const lines = { level, search };
  if (view === 'app' && app !== null) return { view, app, slot: slotOf(slot), ...lines };
  if (view === 'logs') return { view, app, slot: slotOf(slot), ...lines };
  return { view: view === 'events' ? view : 'table', app: null, slot: null, ...lines };
}

/** @param {Partial<Route> & Pick<Route, 'view'>} route @returns {string} for `href` */
export function linkTo({ view, app = null, slot = null, level = '', search = '' }) {
  if (view === 'table') return '#/';
  const parts = [view, app, slot].filter((part) => part !== null);
  const path = `#/${parts.map((part) => encodeURIComponent(part ?? '')).join('/')}`;
  const asked = Object.entries({ level, search }).filter(([, value]) => value);
  return asked.length > 0 ? `${path}?${new URLSearchParams(asked)}` : path;
}

/** Within a view, Back leads to the one before it, not to each letter of a search. @param {string} link */
export function goTo(link) {
  const isSameView = parseRoute(link).view === parseRoute(location.hash).view;
  if (isSameView) location.replace(link);
  else location.hash = link;
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
