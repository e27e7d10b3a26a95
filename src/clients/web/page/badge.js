/** The title and the icon of the tab: how many problems there are, and how bad they are. */
import { formatClock, formatCount } from '../../../show/quantity.js';
import { appTone } from '../../../show/rows.js';
import { canAct } from './data/select.js';

/** @import { PageState } from './data/store.js' */

/** As in base.css; off: not known now. */
const COLOURS = { good: '#3a56d4', warn: '#e09415', bad: '#dc3d33', off: '#7a8394' };

/**
 * @param {PageState} state
 * @param {boolean} isHidden a hidden tab gets nothing from the server
 * @returns {{title: string, tone: keyof typeof COLOURS}}
 */
export function badgeOf(state, isHidden) {
  const { apps, at } = state;
  if (state.server === null) return { title: 'nodecluster', tone: 'off' };
  const tones = apps.map((app) => appTone(app, at));
  const problems = tones.filter((tone) => tone === 'bad' || tone === 'warn');
  const count = problems.length > 0 ? formatCount(problems.length, 'problem') : '';
  if (!canAct(state) || isHidden) {
    const then = `${count || 'no problems'} at ${formatClock(at).slice(0, 5)}`;
    return { title: `${then} · nodecluster`, tone: 'off' };
  }
  const title = count ? `${count} · nodecluster` : 'nodecluster';
  return { title, tone: problems.includes('bad') ? 'bad' : (problems[0] ?? 'good') };
}

const icon = (/** @type {string} */ colour) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="${colour}"/>` +
  '<g fill="#fff"><circle cx="8" cy="4.4" r="1.7"/><circle cx="4.4" cy="10.8" r="1.7"/><circle cx="11.6" cy="10.8" r="1.7"/></g>' +
  '<path d="M8 4.4 4.4 10.8h7.2z" fill="none" stroke="#fff" stroke-width=".9"/></svg>';

/** @param {PageState} state */
export function showBadge(state) {
  const { title, tone } = badgeOf(state, document.hidden);
  if (document.title !== title) document.title = title;
  const link = document.querySelector('link[rel=icon]') ?? document.createElement('link');
  const href = `data:image/svg+xml,${encodeURIComponent(icon(COLOURS[tone]))}`;
  if (link.getAttribute('href') === href) return;
  link.setAttribute('rel', 'icon');
  link.setAttribute('href', href);
  document.head.append(link);
}
