/** The audit in words. Pure. */
import { shellWord } from '../../shared/quoting.js';
import { escapeLine } from '../../show/escape.js';
import { formatCount, formatTime } from '../../show/quantity.js';

/** In the home directory. */
export const AUDIT_LOG = 'audit.log';

/** @typedef {Record<string, any> & {time: string, event: string}} AuditRecord a line of audit.log, in which anything may stand */

/** @param {AuditRecord} record @returns {boolean} whether it stands for lines that could not be written */
export function isLoss({ event }) {
  return event === 'log.lost';
}

/** @param {AuditRecord} record @returns {string} `reload shop by root (login alice) in /srv/shop` */
export function textOf(record) {
  const { event, instances, signal, refused, by, lines, since, reason } = record;
  if (isLoss(record)) {
    const what = `${formatCount(Number(lines), 'line')} of the audit could not be written`;
    return escapeLine(`${what} since ${formatTime(Date.parse(since))}: ${reason}`);
  }
  const { role, user, account, login, cwd } = by ?? {};
  const name = account ?? 'an unknown user';
  const facts = [
    role !== 'cli' && role,
    login !== name && login && `login ${login}`,
    ![name, login].includes(user) && user && `says ${shellWord(String(user))}`,
  ];
  const details = facts.filter(Boolean).join(', ');
  const what = [event, ...appsOf(record), instances, signal, refused && `refused: ${refused}`];
  const who = [`by ${name}`, details && `(${details})`, cwd && `in ${shellWord(String(cwd))}`];
  return escapeLine([...what, ...who].filter((word) => word || word === 0).join(' '));
}

/** @param {Record<string, any>} record @returns {string[]} what it was given, if that is the name of no app */
function appsOf({ apps, selectors, selector, app }) {
  const resolved = [apps ?? []].flat();
  return (resolved.length > 0 ? resolved : [selectors ?? selector ?? app ?? []].flat()).map(String);
}
