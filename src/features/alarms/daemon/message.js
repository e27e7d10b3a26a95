/** What a command or a server gets of a notice. */
import { hostname } from 'node:os';
import { excerpt } from '../../../shared/processes/bounded-command.js';

/** @import { Notice } from '../decide.js' */

/** Characters of one string. A worker's last lines may be long, and a primary of another user may lie. */
const MAX_TEXT = 1000;
const MAX_ITEMS = 100;
/** Characters of the whole, above which it is sent without its longest parts. */
const MAX_JSON = 64 * 1024;
const LONG_PARTS = ['lastLines', 'failed'];

/** @typedef {Record<string, any> & {type: string}} Fields those of any event */

/**
 * The event is a part of its own, since chat servers take some names of fields as settings: for Mattermost
 * `type` is the type of the post, and one that it does not know is refused.
 * @param {Notice} notice
 * @returns {{json: string, variables: Record<string, string>}} `json`: `text`, `host`, `count`, `firstAt` and
 *   the last `event`, as `events --json` prints it
 */
export function messageOf({ event, count, firstAt }) {
  const fields = /** @type {Fields} */ (event);
  const host = hostname();
  const text = textOf(fields, host, count);
  const variables = {
    TYPE: fields.type,
    APP: fields.app,
    WORKER: fields.slot,
    REASON: fields.reason,
    COUNT: count,
    TEXT: text,
  };
  const entries = Object.entries(variables).map(([name, value]) => [
    `NODECLUSTER_EVENT_${name}`,
    printable(value),
  ]);
  const json = boundedJson(fields, { text, host, count, firstAt });
  return { json, variables: Object.fromEntries(entries) };
}

/**
 * @param {Fields} event
 * @param {string} host
 * @param {number} count
 * @returns {string} `api:1 errored on web-1: failed 16 times`
 */
function textOf({ type, app, slot, ok, reason = null, failed }, host, count) {
  const [subject, change] = type.split('.');
  const name = slot === undefined ? app : `${app}:${slot}`;
  const verb = ok === false ? 'failed' : change;
  const what = ['worker', 'app'].includes(subject) ? verb : `${subject} ${verb}`;
  const why = reason ?? failed?.[0]?.reason ?? null;
  const times = count > 1 ? ` (${count} events)` : '';
  return printable(`${name} ${what} on ${host}${why === null ? '' : `: ${why}`}`) + times;
}

/** @param {unknown} value @returns {string} one line, which an environment can hold */
function printable(value = '') {
  return excerpt(String(value), MAX_TEXT);
}

/** @param {Fields} event @param {object} others of the message */
function boundedJson(event, others) {
  const json = JSON.stringify({ ...others, event }, shortened);
  if (json.length <= MAX_JSON) return json;
  const short = Object.entries(event).filter(([key]) => !LONG_PARTS.includes(key));
  return JSON.stringify({ ...others, event: Object.fromEntries(short) }, shortened);
}

/** @param {string} _key @param {unknown} value */
function shortened(_key, value) {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  return Array.isArray(value) ? value.slice(-MAX_ITEMS) : value;
}
