/** What a command or a server gets of a notice. */
import { hostname } from 'node:os';

/** @import { Notice } from '../../lifecycle/alarms/delivery.js' */

/** Characters of one string. A worker's last lines may be long, and a primary of another user may lie. */
const MAX_TEXT = 1000;
const MAX_ITEMS = 100;
/** Characters of the whole, above which it is sent without its longest parts. */
const MAX_JSON = 64 * 1024;
const LONG_PARTS = ['lastLines', 'failed'];

/** @typedef {Record<string, any> & {type: string}} Fields those of any event */

/**
 * @param {Notice} notice
 * @returns {{json: string, variables: Record<string, string>}} `json`: the last event, as `events --json`
 *   prints it, with `count`, `firstAt`, `host` and `text`
 */
export function messageOf({ event, count, firstAt }) {
  const fields = /** @type {Fields} */ (event);
  const text = textOf(fields, count);
  const json = boundedJson({ ...fields, count, firstAt, host: hostname(), text });
  const { type, app, slot, reason } = fields;
  const variables = {
    TYPE: type,
    APP: app,
    WORKER: slot,
    REASON: reason,
    COUNT: count,
    TEXT: text,
  };
  const entries = Object.entries(variables).map(([name, value]) => [
    `NODECLUSTER_EVENT_${name}`,
    printable(value ?? ''),
  ]);
  return { json, variables: Object.fromEntries(entries) };
}

/** @param {Fields} event @param {number} count @returns {string} `api:1 errored: failed 16 times` */
function textOf({ type, app, slot, ok, reason = null, failed }, count) {
  const [subject, change] = type.split('.');
  const name = slot === undefined ? app : `${app}:${slot}`;
  const what = subject === 'worker' ? change : `${subject} ${ok === false ? 'failed' : change}`;
  const why = reason ?? failed?.[0]?.reason ?? null;
  const times = count > 1 ? ` (${count} events)` : '';
  return printable(`${name} ${what}${why === null ? '' : `: ${why}`}${times}`);
}

/** @param {unknown} value @returns {string} one line, which an environment can hold */
function printable(value) {
  // eslint-disable-next-line no-control-regex -- control characters are what it removes
  const line = String(value).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return line.slice(0, MAX_TEXT);
}

/** @param {Fields} message */
function boundedJson(message) {
  const json = JSON.stringify(message, shortened);
  if (json.length <= MAX_JSON) return json;
  const short = Object.entries(message).filter(([key]) => !LONG_PARTS.includes(key));
  return JSON.stringify(Object.fromEntries(short), shortened);
}

/** @param {string} _key @param {unknown} value */
function shortened(_key, value) {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  return Array.isArray(value) ? value.slice(-MAX_ITEMS) : value;
}
