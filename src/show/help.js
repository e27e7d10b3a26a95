/** What is wrong with an app, in full, and which commands help. */
import { mainFrame, shortFrame } from '../lifecycle/hang-policy.js';
import { placeOf } from '../lifecycle/listening.js';
import { exitedWell } from '../lifecycle/exit.js';
import { groupBy } from '../shared/groups.js';
import { failedReload, recentChange } from './change.js';
import { escapeLine } from './escape.js';
import { say } from './features.js';
import { isTaken, shortCauseOf, workerReason } from './reason.js';
import { hasLastingTrouble } from './rows.js';
import { isUnhealthy } from './state.js';

/** @import { App, Worker } from '../protocol/shapes.js' */

/** @typedef {[command: string, why: string]} Help a whole command; why: may begin with its condition, with `if` or `once` */

/**
 * What the table has no room for: facts about the app, and why its workers are not as they should be.
 * @param {App} app
 * @param {number} now epoch ms
 * @param {{workers?: App['workers'], shown?: string}} [which] workers: whose reasons are wanted; shown: what stands above
 * @returns {string[]}
 */
export function causesOf(app, now, which) {
  const facts = [app.note && escapeLine(app.note), failedReload(app, now)];
  return [
    ...facts.flatMap((text) => (text ? `${escapeLine(app.name)}  ${text}` : [])),
    ...reasonsOf(app, now, which),
  ];
}

/** @param {App} app @param {number} now epoch ms @returns {string[]} the change that may be why it is not as it should be */
export function sinceOf(app, now) {
  const change = hasLastingTrouble(app, now) ? recentChange(app, now) : null;
  return change ? [`since ${change}`] : [];
}

/** Each reason once, with its workers. @type {typeof causesOf} */
export function reasonsOf(app, now, { workers = app.workers, shown } = {}) {
  const told = workers.filter((worker) => needsReason(worker, now, shown));
  const groups = groupBy(told, (worker) => longReasonOf(worker, now)[0]);
  return [...groups].map(([text, group]) => `${namesOf(app, group)}  ${escapeLine(text)}`);
}

/** As in the table, where an only worker has the name of its app. @param {App} app @param {Worker[]} workers @param {string} [between] */
function namesOf({ name, workers: all }, workers, between = ', ') {
  const names = workers.map(({ slot }) => (all.length > 1 ? `${name}:${slot}` : name));
  return escapeLine(names.join(between));
}

/** @param {Worker} worker @param {number} now @param {string} [shown] what stands above @returns {boolean} whether it does not say why */
export function needsReason(worker, now, shown) {
  const [text, essence = text] = longReasonOf(worker, now).map(escapeLine);
  if (!essence) return false;
  return shown === undefined ? text.length > 24 : !shown.includes(essence);
}

/** Why it is not online, or not as it should be, and what is said only with that. @param {Worker} worker @param {number} now @returns {string[]} */
function longReasonOf(worker, now) {
  const { status, health, lastError, crash } = worker;
  const checked = health?.reason ?? '';
  if (lastError) return [`stderr: ${lastError}`, lastError];
  if (isUnhealthy(worker)) return [`unhealthy: ${checked}`, checked];
  if (status === 'exited') return [];
  if (status !== 'online') {
    const down = downReasonOf(worker, now);
    return down.length === 0 && checked ? [`not healthy yet: ${checked}`, checked] : down;
  }
  return crash ? [`crashed: ${shortCauseOf(crash)}`, shortCauseOf(crash)] : [];
}

/** @param {Worker} worker @param {number} now */
function downReasonOf(worker, now) {
  const { status, reason, cause, stack } = worker;
  const frame = mainFrame(stack?.frames ?? []);
  if (frame) return [`blocked in ${shortFrame(frame)}`, shortFrame(frame)];
  // Without a stack, the table says as much.
  if (status === 'unresponsive') return stack?.note ? [`blocked: it ${stack.note}`] : [];
  const short = shortCauseOf(worker);
  const isWritten = short !== '' && short === escapeLine(cause);
  const text = isWritten || isTaken(reason) ? short : workerReason(worker, now);
  return text ? [text, short || text] : [];
}

/** @param {App} app @param {number} now epoch ms @returns {Help[]} the most urgent first; none: nothing is wrong */
export function helpOf(app, now) {
  return [...say('commands', app, now), ...helpForBroken(app)]
    .flatMap(([applies, ...help]) => (applies ? [help] : []))
    .filter(([command], at, all) => all.findIndex(([other]) => other === command) === at);
}

/** @param {App} app @returns {[applies: boolean, ...Help][]} */
function helpForBroken(app) {
  const { workers, spec, changes = [] } = app;
  const name = escapeLine(app.name);
  const blocked = workers.filter(({ status }) => status === 'unresponsive');
  const isBlocked = blocked.length > 0;
  const failing = workers.filter(({ status }) => ['errored', 'backoff'].includes(status));
  const [taken] = failing.flatMap(({ reason }) => (isTaken(reason) && reason.port ? reason : []));
  const place = taken && placeOf(taken);
  return [
    [isBlocked, `nodecluster restart ${namesOf(app, blocked, ' ')}`, 'restart the blocked workers'],
    [
      isBlocked && spec?.hangTimeoutMs === null,
      `nodecluster reload ${name} --hang-timeout 30s`,
      'replace workers that hang',
    ],
    [
      // One that was given another does not read it.
      taken !== undefined && !changes[0]?.differences.some(({ key }) => key === 'env.PORT'),
      `nodecluster reload ${name} --set-env PORT=<port>`,
      `if the program reads PORT: ${escapeLine(taken?.holder ?? 'another process')} has ${place}`,
    ],
    [
      failing.some(({ reason }) => exitedWell(reason)),
      `nodecluster restart ${name} --no-autorestart`,
      'if its program is meant to exit',
    ],
    [
      failing.some(({ status }) => status === 'errored'),
      `nodecluster start ${name}`,
      `once ${place ? `${place} is free` : 'it is fixed'}`,
    ],
    [
      failing.some(({ cause }) => cause) && taken === undefined,
      `nodecluster logs ${name}`,
      'read what it wrote',
    ],
  ];
}
