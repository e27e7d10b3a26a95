/** One command of the audit in words. */
import { escapeLine } from '../../show/escape.js';

/** @typedef {Record<string, any>} AuditRecord a line of audit.log, in which anything may stand */

/** @param {AuditRecord} record @returns {string} `reload shop`, `stop api refused: E_APP_UNKNOWN` */
export function whatText({ event, apps, selectors, refused }) {
  const named = [selectors ?? apps ?? []].flat().map(String);
  const text = [event, ...named].join(' ');
  return escapeLine(refused ? `${text} refused: ${refused}` : text);
}

/** @param {AuditRecord} record @returns {string} `by alice (uid 0, login 1000, pts/3, pid 4711): nodecluster reload shop` */
export function senderText({ by }) {
  const { role, user, uid = null, loginUid = null, terminal, pid, command } = by ?? {};
  const name = user ?? role;
  if (!name) return 'by an unknown sender';
  const login = loginUid === null || loginUid === uid ? null : `login ${loginUid}`;
  const facts = [uid === null ? null : `uid ${uid}`, login, terminal, pid && `pid ${pid}`];
  const known = facts.filter(Boolean);
  const who = [name, ...(known.length > 0 ? [`(${known.join(', ')})`] : [])].join(' ');
  return `by ${who}${command ? `: ${command}` : ''}`;
}
