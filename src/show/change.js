/** What a command changed in an app, and who gave it. */
import { mayBreak } from '../lifecycle/app-status.js';
import { escapeLine } from './escape.js';
import { formatAgo, formatCount } from './quantity.js';
import { isKilled, reasonWithCause, shortCauseOf } from './reason.js';
import { isObject } from '../shared/checks.js';
import { shellWord } from '../shared/quoting.js';
import { formatElapsed } from '../shared/units.js';

/** @import { App, AppChange, Difference, Known, Worker } from '../protocol/shapes.js' */

/** @typedef {AppChange | Known<AppChange>} Change */

/** Of those that are kept. */
const MAX_CHANGES = 3;

/**
 * @param {Pick<App, 'changes' | 'busy' | 'lastReload'>} app
 * @param {number} now epoch ms
 * @returns {[label: string, text: string][]} a row for each command
 */
export function changeRows({ changes = [], busy, lastReload }, now) {
  return changes.slice(0, MAX_CHANGES).map((change, index) => {
    const isRunning = index === 0 && busy !== undefined;
    const isLast = change.action === 'reload' && change.generation === lastReload?.generation;
    const outcome = isLast && lastReload ? reloadText(lastReload) : null;
    const end = change.isApplied ? '' : isRunning ? ', in progress' : ', failed';
    const done = `${change.action}${authorText(change)}${outcome ?? end}`;
    const text = [done, differencesText(change)].filter(Boolean).join('; ');
    return [index === 0 ? 'last change' : 'before that', `${formatAgo(change.at, now)}: ${text}`];
  });
}

/** @param {NonNullable<App['lastReload']>} reload */
function reloadText(reload) {
  if (reload.ok) return `, took ${formatElapsed(reload.durationMs ?? 0)}`;
  const after = reload.done?.length ? ` after ${formatCount(reload.done.length, 'worker')}` : '';
  return `, failed${after}: ${reasonWithCause(reload)}`;
}

/** Trouble that begins later does not come from the change. */
const SOON_MS = 60_000;

/** @param {Pick<App, 'changes' | 'workers'>} app @param {number} now epoch ms @returns {string[]} what may be the cause: `since reload 16s ago by alice: env.PORT "3000" → "4000"` */
export function sinceOf(app, now) {
  const change = possibleCause(app);
  if (!change) return [];
  const what = differencesText(change);
  const done = `${change.action} ${formatAgo(change.at, now)}${authorText(change)}`;
  return [escapeLine(`since ${done}${what && `: ${what}`}`)];
}

/**
 * @param {App} app that is not as it should be
 * @returns {string | null} flags that undo what may be the cause: `--set-env PORT=3000 --set-env NEW-`; null: more than variables changed,
 *   their values are not known in full, or it may itself have undone what was wrong before
 */
export function undoFlags(app) {
  const { differences = [], omitted = 0 } = possibleCause(app) ?? {};
  const keys = app.changes?.flatMap((change) => change.differences.map(({ key }) => key));
  const flags = differences.map(({ key, from }) => {
    const isFirst = keys?.indexOf(key) === keys?.lastIndexOf(key);
    const [, name] = (isFirst && /^env\.(.+)/.exec(key)) || [];
    // Masked and shortened values say so.
    const isWhole = typeof from === 'string' && /^[^*…\p{Cc}]*$/u.test(from);
    if (name && (from ?? null) === null) return `--set-env ${shellWord(`${name}-`)}`;
    return name && isWhole ? `--set-env ${shellWord(`${name}=${from}`)}` : null;
  });
  return flags.length > 0 && omitted === 0 && !flags.includes(null) ? flags.join(' ') : null;
}

/**
 * @param {App} app
 * @param {number} now epoch ms
 * @returns {string | null} of a reload that nothing has followed: `last reload failed 1m ago: exit 1; the old version runs`
 */
export function failedReload({ lastReload, changes = [], workers }, now) {
  if (!lastReload || lastReload.ok) return null;
  const { at, done = [] } = lastReload;
  const isFollowed = changes.some((change) => change.isApplied && change.at > at);
  // What was started since has the files of now.
  const isOld = workers.some(({ status, startedAt = at }) => status === 'online' && startedAt < at);
  if (isFollowed || !isOld) return null;
  const cause = shortCauseOf(lastReload) || 'reason unknown';
  const place = done.length > 0 ? ` in all but ${formatCount(done.length, 'worker')}` : '';
  const given = changes.filter(({ isApplied }) => !isApplied).slice(0, 1);
  const kept = given.flatMap(({ differences }) =>
    differences.map(({ key }) => `, ${key} as before`),
  );
  const text = `last reload failed ${formatAgo(at, now)}: ${cause}; the old version runs`;
  return escapeLine([text, place, ...kept].join(''));
}

/** The change with which the trouble began: only that can be its cause. @param {Pick<App, 'changes' | 'workers'>} app @returns {Change | null} */
function possibleCause({ changes = [], workers }) {
  const change = changes.find(mayBreak);
  const began = workers.flatMap((worker) => beganAt(worker) ?? []);
  const fine = workers.filter((each) => each.requests?.answered && !beganAt(each));
  const afterMs = Math.min(...began) - (change?.at ?? NaN);
  if (!change || afterMs < 0 || afterMs > SOON_MS) return null;
  return began.length > fine.length ? change : null;
}

/** No change kills a worker. @param {Worker} worker */
function beganAt({ blockedSince, troubleSince, reason, crash }) {
  return blockedSince ?? (isKilled(reason ?? crash?.reason) ? undefined : troubleSince);
}

/** Of one change, and of one value as JSON: in one line. */
const MAX_DIFFERENCES = 4;
const MAX_LENGTH = 40;
/** Characters before the place where two values differ. */
const CONTEXT = 10;

/**
 * @param {Pick<AppChange, 'omitted'> & {differences: readonly Partial<Difference>[]}} change
 * @returns {string} `env.PORT "3000" → "4000", kill_timeout`; the values where they are known
 */
export function differencesText({ differences, omitted }) {
  const texts = differences.slice(0, MAX_DIFFERENCES).map(differenceText);
  const more = omitted + differences.length - texts.length;
  return [...texts, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** @param {Partial<Difference>} difference */
function differenceText({ key, from, to }) {
  if (isObject(to) || (from ?? to) === undefined) return String(key);
  const [before, after] = [valueText(from), valueText(to)];
  const differAt = before.split('').findIndex((character, at) => character !== after[at]);
  return `${key} ${[before, after].map((text) => excerpt(text, differAt)).join(' → ')}`;
}

/** @param {string} text @param {number} at what must be seen */
function excerpt(text, at) {
  const start = Math.max(0, Math.min(at - CONTEXT, text.length - MAX_LENGTH));
  const shown = text.slice(start, start + MAX_LENGTH);
  return `${start > 0 ? '…' : ''}${shown}${start + shown.length < text.length ? '…' : ''}`;
}

/** @param {{by?: Change['by']}} change @returns {string} ` by alice`, ` by alice (web)`, ` by watch: src/a.js` */
export function authorText({ by }) {
  if (!by) return '';
  if (by.user) return ` by ${by.user}${by.role === 'cli' ? '' : ` (${by.role})`}`;
  return ` by ${by.role}${by.file ? `: ${escapeLine(by.file)}` : ''}`;
}

/** @param {Difference['from']} value @returns {string} as JSON */
export function valueText(value) {
  return value === undefined || value === null ? '(none)' : escapeLine(JSON.stringify(value));
}
