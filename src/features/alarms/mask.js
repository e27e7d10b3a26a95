/** What of an alarm is masked on screens and in logs. */
import { MASK } from '../../shared/secrets.js';

/** @import { Alarm } from './record.js' */

/** Nothing but references to variables. */
const VARIABLES = /^(\$\{\w+\})+$/;

/**
 * The path of a webhook is its secret.
 * @param {Alarm} alarm
 * @returns {Alarm} without what is secret in it, or might be
 */
export function maskAlarm(alarm) {
  const { post, headers } = alarm;
  // `Bearer ${TOKEN}` says nothing that is secret.
  const masked = Object.entries(headers).map(([name, value]) => [
    name,
    value.includes('${') ? value : MASK,
  ]);
  return {
    ...alarm,
    post: post === null ? null : maskAddress(post),
    headers: Object.fromEntries(masked),
  };
}

/** @param {string} address */
function maskAddress(address) {
  if (VARIABLES.test(address)) return address;
  if (!URL.canParse(address)) return MASK;
  const { protocol, host, pathname, search, hash, username } = new URL(address);
  const isPlain = pathname === '/' && [search, hash, username].every((part) => part === '');
  return `${protocol}//${host}${isPlain ? '' : `/${MASK}`}`;
}
