/** What is wrong with an app, in full, and which commands help. */
import { placeOf } from '../lifecycle/listening.js';
import { exitedWell } from '../lifecycle/exit.js';
import { groupBy } from '../shared/groups.js';
import { shellWord } from '../shared/quoting.js';
import { failedReload, sinceOf, undoFlags } from './change.js';
import { escapeLine } from './escape.js';
import { say } from './features.js';
import { formatAgo } from './quantity.js';
import { isKilled, isTaken, shortCauseOf, workerReason } from './reason.js';
import { hasProblem, rowOf, wordsOf } from './rows.js';
import { isUnhealthy, stateText, statusWord, troublesOf } from './state.js';

/** @import { App, Worker } from '../protocol/shapes.js' */
/** @import { BareRow } from './rows.js' */

/** @typedef {[command: string, why: string]} Help a whole command; why: may begin with its condition, with `if` or `once` */

/** @param {App} app @param {number} now epoch ms @returns {string[]} facts about it, and why its workers are not as they should be */
export function causesOf(app, now) {
  const facts = [app.note && escapeLine(app.note), failedReload(app, now)];
  return [
    ...facts.flatMap((text) => (text ? `${escapeLine(app.name)}  ${text}` : [])),
    ...headlinesOf(app, now).map(({ text }) => text),
    ...sinceOf(app, now),
  ];
}

/**
 * Each reason once, with its workers.
 * @param {App} app
 * @param {number} now epoch ms
 * @param {{workers?: App['workers'], shown?: string, isWhole?: boolean}} [which] isWhole: also what the table says of them
 * @returns {{text: string, workers: Worker[]}[]} `invoices  blocked 34s in parse (app.js:2:25)`
 */
export function headlinesOf(app, now, { workers = app.workers, shown = '', isWhole = false } = {}) {
  const rows = workers.map((worker) => rowOf(app, worker));
  const told = rows.filter((row) => {
    const reason = reasonOf(row.worker, now);
    return (isWhole && hasProblem(row, now)) || (reason !== '' && !shown.includes(reason));
  });
  const groups = groupBy(told, (row) =>
    isWhole ? wordsOf(row, now) : reasonOf(row.worker, now).replace(/\b\d+[smhd]\b/g, ''),
  );
  return [...groups.values()].map((group) => {
    const own = group.map(({ worker }) => worker);
    const isAll = own.length > 1 && own.length === app.workers.length;
    const names = isAll ? escapeLine(app.name) : namesOf(app, own);
    const count = isAll && isWhole ? `${own.length} workers ` : '';
    // The figures of one are not those of all.
    const serving = own.filter(({ status }) => status === 'online');
    const { texts } = troublesOf({ ...app, workers: serving }, null, now);
    const state = own.length > 1 ? [statusWord(app, own[0], now), ...texts].join(', ') : undefined;
    const text = isWhole ? wholeState(group[0], now, state) : reasonOf(own[0], now);
    return { text: `${names}  ${count}${text}`, workers: own };
  });
}

/** @param {BareRow} row @param {number} now epoch ms @param {string} [state] @returns {string} with the cause: `backoff 4s: exit 1`, `blocked 12s in hash (app.js:2:5)` */
export function wholeState(row, now, state = stateText(row, now)) {
  const reason = row.worker ? reasonOf(row.worker, now) : '';
  if (reason && (row.worker?.status === 'blocked' || !hasProblem(row, now))) return reason;
  return [state, reason].filter(Boolean).join(': ');
}

/** As in the table, where an only worker has the name of its app. @param {App} app @param {Worker[]} workers @param {string} [between] */
function namesOf({ name, workers: all }, workers, between = ', ') {
  const names = workers.map(({ slot }) => (all.length > 1 ? `${name}:${slot}` : name));
  return escapeLine(names.join(between));
}

/** Why it is not online, or not as it should be; empty: not known. @param {Worker} worker @param {number} now */
export function reasonOf(worker, now) {
  const { status, blockedSince, health } = worker;
  if (blockedSince !== undefined) return escapeLine(workerReason(worker, now) ?? '');
  if (['stopped', 'exited', 'spare'].includes(status)) return '';
  const checked = escapeLine(health?.reason ?? '');
  if (isUnhealthy(worker)) return checked;
  return causeOf(worker, now) || (checked && `not healthy yet (${checked})`);
}

/** A crash is not the cause of trouble that began after it. @param {Worker} worker @param {number} now */
function causeOf(worker, now) {
  const { status, crash, pid, troubleSince = 0, lastError = '', reason } = worker;
  const known = status === 'online' ? escapeLine(lastError) : shortCauseOf(worker);
  if ((known && !isKilled(reason)) || !crash || troubleSince > crash.at) return known;
  const text = shortCauseOf(crash);
  if (!isKilled(crash.reason)) return text;
  const serves = status === 'online' ? `; pid ${pid} serves` : '';
  return `killed by ${text} ${formatAgo(crash.at, now)}, not by nodecluster${serves}`;
}

/** @param {App} app @param {number} now epoch ms @returns {Help[]} the most urgent first; none: nothing is wrong */
export function helpOf(app, now) {
  const undo = undoFlags(app);
  const undone = `nodecluster reload ${escapeLine(app.name)} ${undo}`;
  /** @type {[applies: boolean, ...Help][]} */
  const helps = [
    [Boolean(undo), undone, 'undo the last change'],
    ...say('commands', app, now),
    ...helpForBroken(app),
  ];
  return helps
    .flatMap(([applies, ...help]) => (applies ? [help] : []))
    .filter(([command], at, all) => all.findIndex(([other]) => other === command) === at);
}

const MISSING_PACKAGE = /^Cannot find (?:module|package) '[^./]/;

/** @param {App} app @returns {[applies: boolean, ...Help][]} */
function helpForBroken(app) {
  const { workers, changes = [], spec } = app;
  const name = escapeLine(app.name);
  const blocked = workers.filter(({ blockedSince }) => blockedSince !== undefined);
  const failing = workers.filter(({ status }) => ['errored', 'backoff'].includes(status));
  const [taken] = failing.flatMap(({ reason }) => (isTaken(reason) && reason.port ? reason : []));
  const place = taken && placeOf(taken);
  const restarted = namesOf(app, blocked, ' ');
  const isDone = failing.some(({ reason }) => exitedWell(reason));
  const hasErrored = failing.some(({ status }) => status === 'errored');
  const hasWritten = failing.some(({ cause }) => cause);
  const isIncomplete = failing.some(({ cause = '' }) => MISSING_PACKAGE.test(cause));
  const directory = isIncomplete && spec && escapeLine(shellWord(spec.cwd));
  return [
    [blocked.length > 0, `nodecluster restart ${restarted}`, 'restart the blocked workers'],
    [
      // One that was given another does not read it.
      taken !== undefined &&
        !changes.some(({ differences }) => differences.some(({ key }) => key === 'env.PORT')),
      `nodecluster reload ${name} --set-env PORT=<port>`,
      `if the program reads PORT: ${escapeLine(taken?.holder ?? 'another process')} has ${place}`,
    ],
    [isDone, `nodecluster restart ${name} --no-autorestart`, 'if its program is meant to exit'],
    [Boolean(directory), `cd ${directory} && npm install`, 'install its packages'],
    [hasErrored, `nodecluster start ${name}`, `once ${place ? `${place} is free` : 'it is fixed'}`],
    [hasWritten && !taken, `nodecluster logs ${name}`, 'read what it wrote'],
  ];
}
