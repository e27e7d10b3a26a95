/** What is wrong with an app, in full, and which commands help. */
import { placeOf } from '../lifecycle/listening.js';
import { exitedWell } from '../lifecycle/exit.js';
import { groupBy } from '../shared/groups.js';
import { failedReload, recentChange } from './change.js';
import { escapeLine } from './escape.js';
import { say } from './features.js';
import { formatAgo } from './quantity.js';
import { isTaken, shortCauseOf, workerReason } from './reason.js';
import { hasLastingTrouble } from './rows.js';
import { isUnhealthy } from './state.js';

/** @import { App, Worker } from '../protocol/shapes.js' */

/** @typedef {[command: string, why: string]} Help */

/**
 * What the table has no room for: facts about the app, and why its workers are not as they should be.
 * @param {App} app
 * @param {number} now epoch ms
 * @param {{workers?: App['workers'], shown?: string}} [which] workers: whose reasons are wanted; shown: what says others
 */
export function causesOf(app, now, { workers = app.workers, shown } = {}) {
  const facts = [app.note && escapeLine(app.note), failedReload(app, now)];
  return [
    ...facts.flatMap((text) => (text ? `${escapeLine(app.name)}: ${text}` : [])),
    ...reasonsOf({ ...app, workers }, now, shown),
  ];
}

/** @param {App} app @param {number} now epoch ms @returns {string[]} the change that may be why it is not as it should be */
export function sinceOf(app, now) {
  const change = hasLastingTrouble(app, now) ? recentChange(app, now) : null;
  return change ? [`since ${change}`] : [];
}

/**
 * @param {App} app
 * @param {number} now epoch ms
 * @param {string} [shown] what says the others
 * @returns {string[]} reasons that are too long for the table, each once with its workers
 */
export function reasonsOf({ name, workers }, now, shown = '') {
  const told = workers.filter((worker) => needsReason(worker, now, shown));
  return [...groupBy(told, (worker) => longReasonOf(worker, now))].map(([reason, group]) => {
    const names = group.map(({ slot }) => `${escapeLine(name)}:${slot}`).join(', ');
    const [exitedAt] = group.flatMap((worker) => worker.exitedAt ?? []);
    return `${names} ${escapeLine(reason)}${exitedAt ? `, ${formatAgo(exitedAt, now)}` : ''}`;
  });
}

/** @param {Worker} worker @param {number} now whether its reason is too long for the table @param {string} [shown] what says others */
export function needsReason(worker, now, shown = '') {
  const text = longReasonOf(worker, now) ?? '';
  const { status, reason } = worker;
  const isKilled = reason?.kind === 'exit' && reason.signal === 'SIGKILL';
  if (text.length <= 24 || isKilled || isSaid(worker, shown)) return false;
  // Without a stack, the table says as much.
  return status !== 'unresponsive' || worker.stack !== undefined;
}

/** @param {Worker} worker @param {string} shown */
function isSaid(worker, shown) {
  const { status, lastError, crashCause = '' } = worker;
  if (lastError || isUnhealthy(worker)) return false;
  const short = status === 'online' ? escapeLine(crashCause) : shortCauseOf(worker);
  return short !== '' && shown.includes(short);
}

/** @param {Worker} worker @param {number} now @returns {string | null} why it is not online, or not ready */
function longReasonOf(worker, now) {
  const { status, health, lastError, crashCause } = worker;
  if (lastError) return `wrote to stderr: ${lastError}`;
  if (isUnhealthy(worker)) return `unhealthy: ${health?.reason}`;
  if (status === 'online' && crashCause) return `crashed in the last minute: ${crashCause}`;
  if (['online', 'exited'].includes(status)) return null;
  return downReasonOf(worker, now) ?? (health?.reason ? `not healthy yet: ${health.reason}` : null);
}

/** @param {Worker} worker @param {number} now */
function downReasonOf(worker, now) {
  const short = shortCauseOf(worker);
  const isWritten = short !== '' && short === escapeLine(worker.cause);
  return isWritten || isTaken(worker.reason) ? short : workerReason(worker, now);
}

/** @param {App} app @param {number} now epoch ms @returns {Help[]} the most urgent first; none: nothing is wrong */
export function helpOf(app, now) {
  const all = [...say('commands', app, now), ...helpForBlocked(app), ...helpForFailing(app)];
  return all.filter(([command], at) => all.findIndex(([other]) => other === command) === at);
}

/** @param {App} app @returns {Help[]} */
function helpForBlocked({ name, workers, spec }) {
  const shown = escapeLine(name);
  const blocked = workers.filter(({ status }) => status === 'unresponsive');
  if (blocked.length === 0) return [];
  const names = blocked.map(({ slot }) => `${shown}:${slot}`).join(' ');
  /** @type {Help} */
  const replace = [`reload ${shown} --hang-timeout 30s`, 'replace workers that hang'];
  return [
    [`restart ${names}`, 'restart the blocked workers'],
    [`why ${shown}`, 'see where they are blocked'],
    ...(spec?.hangTimeoutMs === null ? [replace] : []),
  ];
}

/** @param {App} app @returns {Help[]} */
function helpForFailing({ name, workers }) {
  const shown = escapeLine(name);
  const failing = workers.filter(({ status }) => ['errored', 'backoff'].includes(status));
  if (failing.length === 0) return [];
  const [taken] = failing.flatMap(({ reason }) => (isTaken(reason) && reason.port ? reason : []));
  const place = taken && placeOf(taken);
  const who = escapeLine(taken?.holder ?? 'another process');
  const hasWritten = failing.some(({ cause }) => cause);
  /** @type {[boolean, ...Help][]} */
  const all = [
    [
      taken !== undefined,
      `reload ${shown} --set-env PORT=<port>`,
      `if the program reads PORT: ${who} has ${place}`,
    ],
    [
      failing.some(({ reason }) => exitedWell(reason)),
      `restart ${shown} --no-autorestart`,
      'if its program is meant to exit',
    ],
    [
      failing.some(({ status }) => status === 'errored'),
      `start ${shown}`,
      place === undefined
        ? 'start it again, once you have fixed the cause'
        : `start it again, once ${place} is free: ${who} has it`,
    ],
    [hasWritten && taken === undefined, `logs ${shown}`, 'read what it wrote'],
  ];
  return all.filter(([applies]) => applies).map(([, ...command]) => command);
}
