/** What is done when something happens to an app. */
import { eventNames } from './event-names.js';
import { nearest } from '../../config/spelling.js';
import { command, mapOf, strings } from '../../config/types/lists.js';
import { asString, boolean, duration } from '../../config/types/values.js';
import { isObject } from '../../shared/checks.js';
import { MASK } from '../../shared/secrets.js';

/**
 * @import { ConfigValue } from '../../config/file/config-value.js'
 * @import { ValueType } from '../../config/types/values.js'
 * @import { FeatureOptions } from '../options.js'
 * @import { Alarm } from './record.js'
 */

const EVENT = 'an event such as worker.errored, worker.* or *.ended';
const PATTERNS = [...new Set(eventNames.map((name) => `${name.split('.')[0]}.*`))];
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]+$/;

/** @type {ValueType} */
const events = {
  expected: `${EVENT}, or a list of them`,
  read(input) {
    const names = strings.read(input);
    const isRight = (/** @type {string} */ name) => eventsOf(name).length > 0;
    names?.forEach((/** @type {string | undefined} */ name, /** @type {number} */ index) => {
      if (name === undefined || isRight(name)) return;
      const at = Array.isArray(input.value) ? input.child(index) : input;
      const guess = nearest(name, [...eventNames, ...PATTERNS]);
      at.reject(EVENT, guess === null ? '' : `did you mean ${guess}?`);
    });
    return names;
  },
  write: (/** @type {string[]} */ value) => (value.length === 1 ? value[0] : value),
  schema: { type: ['string', 'array'], items: { type: 'string' }, minItems: 1, minLength: 1 },
};

/** @type {ValueType} in the spec as it was written; a URL with variables is checked when they are known */
const post = {
  expected: 'a URL such as https://example.com/hook, or http:// on this machine',
  read(input) {
    const value = asString(input);
    const isRight = value !== null && (value.includes('${') || postAddress(value) !== null);
    // Without the value, since it may be secret.
    return isRight ? value : input.report(`expected ${post.expected}`);
  },
  schema: { type: 'string', pattern: '^(https?://|\\$\\{)' },
};

/** @type {ValueType} */
const headers = {
  expected: 'a map of headers',
  read(input) {
    if (!isObject(input.value)) return input.reject(headers.expected);
    const pairs = Object.keys(input.value).map((name) => {
      const child = input.child(name);
      const value = asString(child) ?? '';
      if (!HEADER_NAME.test(name)) child.report('expected the name of a header', 'key');
      else if (!HEADER_VALUE.test(value)) child.report('expected the value of a header, in ASCII');
      return [name, value];
    });
    return Object.fromEntries(pairs);
  },
  schema: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
};

const alarm = mapOf({
  event: { type: events, default: [] },
  failed: { type: boolean, default: false, isRare: true },
  run: { type: command, default: null, isRare: true },
  post: { type: post, default: null, isRare: true },
  headers: { type: headers, default: {}, isRare: true },
  // One that takes longer would keep those of other apps waiting.
  timeout: { type: duration({ min: 100, max: 300_000 }), default: 30_000 },
  interval: { type: duration({ min: 1000 }), default: 60_000 },
});

/** @type {ValueType} */
const type = {
  expected: 'a list of alarms, each a map of event, and run or post',
  read(input) {
    if (!Array.isArray(input.value)) return input.reject(type.expected);
    return input.value.map((_, index) => readAlarm(input.child(index)));
  },
  write: (/** @type {Alarm[]} */ value) => value.map((each) => alarm.write?.(each)),
  mask: (/** @type {Alarm[]} */ value) => value.map(maskAlarm),
  schema: {
    type: 'array',
    items: {
      ...alarm.schema,
      required: ['event'],
      oneOf: [{ required: ['run'] }, { required: ['post'] }],
    },
  },
  typescript:
    'readonly { event: string | readonly string[]; failed?: boolean; run?: string | readonly (string | number | boolean)[]; post?: string; headers?: Record<string, string | number>; timeout?: number | string; interval?: number | string }[]',
};

/** @type {FeatureOptions} */
export const alarms = {
  group: 'Alarms',
  options: [
    {
      key: 'on',
      type,
      default: [],
      description:
        'Alarms. Each has `event`, the type of an event or a pattern such as `worker.*`, or a list of them (`failed: true`: only those with an outcome that is a failure), and either `run`, a command without a shell, or `post`, a URL that gets the event as JSON. Further keys: [alarms](../guides/alarms.md#settings).',
    },
  ],
};

/** @param {ConfigValue} input */
function readAlarm(input) {
  /** @type {Alarm | undefined} */
  const read = alarm.read(input);
  if (!read) return undefined;
  const { event, failed, run, post, headers } = read;
  if (event.length === 0) return input.child('event').reject(events.expected);
  if ((run === null) === (post === null)) return input.reject('either run or post');
  const hasOutcome = event.flatMap(eventsOf).some((name) => name.endsWith('.ended'));
  if (run !== null && Object.keys(headers).length > 0) {
    input.child('headers').report('headers belong to post', 'key');
  } else if (failed && !hasOutcome) {
    input.child('failed').report('only events such as reload.ended have an outcome');
  } else return read;
}

/**
 * @param {string} pattern a name, or one with `*` before or after the dot: `worker.*`, `*.ended`; `*`: all
 * @returns {string[]} the names that it means; none if it is not valid
 */
export function eventsOf(pattern) {
  const [subject, change = subject === '*' ? '*' : '', ...rest] = pattern.split('.');
  if (rest.length > 0) return [];
  const fits = (/** @type {string} */ part, /** @type {string} */ of) => of === '*' || part === of;
  return eventNames.filter((name) => {
    const [first, second] = name.split('.');
    return fits(first, subject) && fits(second, change);
  });
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Where an alarm may post to. An event contains the last lines of a program, and a header a token, so they
 * are not sent in the clear through a network.
 * @param {string} text
 * @returns {URL | null} null: it is not a URL of https, or of http on this machine
 */
export function postAddress(text) {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && LOOPBACK.test(url.hostname) ? url : null;
}

/**
 * The path of a webhook is its secret.
 * @param {Alarm} alarm
 * @returns {Alarm} without what is secret in it, or might be
 */
export function maskAlarm(alarm) {
  // `Bearer ${TOKEN}` says nothing that is secret.
  const masked = Object.entries(alarm.headers).map(([name, value]) => [
    name,
    value.includes('${') ? value : MASK,
  ]);
  const post = alarm.post && maskAddress(alarm.post);
  return { ...alarm, post, headers: Object.fromEntries(masked) };
}

/** @param {string} address */
function maskAddress(address) {
  if (/^(\$\{\w+\})+$/.test(address)) return address;
  if (!URL.canParse(address)) return MASK;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}/${MASK}`;
}
