/** The audit in words. Pure. */
import { shellWord } from '../../shared/quoting.js';
import { escapeLine } from '../../show/escape.js';
import { formatCount, formatTime } from '../../show/quantity.js';

/**
 * @typedef {Record<string, any> & {time: string, event: string}} AuditRecord a line of audit.log, in which anything may stand
 */

/** @param {Record<string, any> | undefined} record @returns {record is AuditRecord} */
export function isEntry(record) {
  return typeof record?.event === 'string' && !Number.isNaN(Date.parse(String(record.time)));
}

/**
 * @param {readonly AuditRecord[]} records
 * @returns {AuditRecord[]} one for each command; if it was refused, `refused` says why
 */
export function commandsOf(records) {
  /** @type {Map<string, AuditRecord>} */
  const open = new Map();
  return records.flatMap((record) => {
    const key = `${record.daemon}:${record.number}`;
    const asked = record.refused === undefined ? undefined : open.get(key);
    if (asked) {
      asked.refused = record.refused;
      open.delete(key);
      return [];
    }
    const command = { ...record };
    open.set(key, command);
    return [command];
  });
}

/** @param {AuditRecord} record @param {number} since epoch ms @param {number} until epoch ms */
export function isWithin(record, since, until) {
  const time = Date.parse(record.time);
  const begin = isLoss(record) ? Date.parse(record.since) || time : time;
  return time >= since && begin <= until;
}

/** @param {AuditRecord} record @param {readonly string[]} apps or `app:slot`; none: all @returns whether it may concern one of them */
export function concerns(record, apps) {
  const isPartOf = (/** @type {string} */ one, /** @type {string} */ other) =>
    one === other || one.startsWith(`${other}:`);
  const isNamed = (/** @type {string} */ app) =>
    app === 'all' ||
    appsOf(record).some((name) => isPartOf(name, app) || isPartOf(app, name) || name === '…');
  return apps.length === 0 || isLoss(record) || apps.some(isNamed);
}

/** @param {AuditRecord} record @returns {boolean} whether it stands for entries that could not be written */
export function isLoss({ event }) {
  return event === 'log.lost';
}

/** @param {AuditRecord} record @returns {string} `2 lines of the audit could not be written since 14:03:21: ENOSPC` */
export function lossText({ lines, since, reason }) {
  const begin = Date.parse(since);
  const when = Number.isNaN(begin) ? '' : ` since ${formatTime(begin)}`;
  const what = `${formatCount(Number(lines), 'line')} of the audit could not be written${when}`;
  return escapeLine(reason ? `${what}: ${reason}` : what);
}

/** @param {AuditRecord} record @returns {string} `reload shop`, `scale api 4`, `stop api refused: E_APP_UNKNOWN` */
export function whatText({ event, instances, signal, refused, ...record }) {
  const text = [event, ...appsOf(record), ...namesIn(instances, signal)].join(' ');
  return escapeLine(refused ? `${text} refused: ${refused}` : text);
}

/** @param {Record<string, any>} record @returns {string[]} what it was given, if that is the name of no app */
function appsOf({ apps, selectors, selector, app }) {
  const resolved = namesIn(apps);
  return resolved.length > 0 ? resolved : namesIn(selectors, selector, app);
}

/** @param {unknown[]} values names, lists of them, or nothing @returns {string[]} */
function namesIn(...values) {
  return values
    .flat()
    .flatMap((value) => value ?? [])
    .map(String);
}

/**
 * @param {AuditRecord} record
 * @returns {string} `by root (uid 0, says alice, login alice, pts/3, pid 4711): nodecluster reload shop; parent: bash; in /srv`
 */
export function senderText({ by }) {
  const { command, parent, cwd } = by ?? {};
  const place = [
    command,
    parent && `parent: ${parent}`,
    cwd && `in ${shellWord(String(cwd))}`,
  ].filter(Boolean);
  return escapeLine([`by ${userText(by ?? {})}`, place.join('; ')].filter(Boolean).join(': '));
}

/** What the system says comes before what the client says. @param {Record<string, any>} by */
function userText({ role, user, uid, account, pid, terminal, origin, ...by }) {
  const numbered = namesIn(uid).map((number) => `uid ${number}`);
  const [name = 'an unknown user', ...number] = [...namesIn(account), ...numbered];
  const login = by.loginUid === uid ? [] : namesIn(by.login ?? by.loginUid);
  const facts = [
    ...number,
    role !== 'cli' && role,
    user && user !== name && `says ${shellWord(String(user))}`,
    ...login.map((other) => `login ${other}`),
    terminal,
    pid && `pid ${pid}`,
    origin && `from ${origin}`,
  ].filter(Boolean);
  return facts.length > 0 ? `${name} (${facts.join(', ')})` : name;
}
