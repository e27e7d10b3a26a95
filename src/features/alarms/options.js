/** What is done when something happens to an app. */
import { eventNames } from './event-names.js';
import { command, listOf, mapOf, strings, variables } from '../../config/types/lists.js';
import { asString, boolean, duration } from '../../config/types/values.js';

/**
 * @import { ConfigValue } from '../../config/file/config-value.js'
 * @import { ValueType } from '../../config/types/values.js'
 * @import { FeatureOptions } from '../options.js'
 * @import { Alarm } from './record.js'
 */

/** @type {ValueType} */
const events = {
  expected: 'an event such as worker.errored, worker.* or *.ended, or a list of them',
  read(input) {
    const names = strings.read(input);
    const wrong = names?.find((/** @type {string} */ name) => eventsOf(name).length === 0);
    if (wrong === undefined) return names;
    return input.report(`expected ${events.expected}, got ${JSON.stringify(wrong)}`);
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

const alarm = mapOf({
  event: { type: events, default: [] },
  failed: { type: boolean, default: false, isRare: true },
  run: { type: command, default: null, isRare: true },
  post: { type: post, default: null, isRare: true },
  headers: { type: variables, default: {}, isRare: true },
  // One that takes longer would keep those of other apps waiting.
  timeout: { type: duration({ min: 100, max: 300_000 }), default: 30_000 },
  interval: { type: duration({ min: 1000 }), default: 60_000 },
});

const type = listOf(alarm, {
  expected: 'a list of alarms, each a map of event, and run or post',
  read: readAlarm,
  items: { required: ['event'], oneOf: [{ required: ['run'] }, { required: ['post'] }] },
  typescript:
    'readonly { event: string | readonly string[]; failed?: boolean; run?: string | readonly (string | number | boolean)[]; post?: string; headers?: Record<string, string | number>; timeout?: number | string; interval?: number | string }[]',
});

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
  if (run && Object.keys(headers).length > 0) {
    return input.child('headers').report('only a request (post) has headers');
  }
  if (!failed || event.flatMap(eventsOf).some((name) => name.endsWith('.ended'))) return read;
  return input.child('failed').report('only events such as reload.ended have an outcome');
}

/** @param {string} pattern `job.ended`, `worker.*`, `*.ended` or `*` @returns the names that it means */
export function eventsOf(pattern) {
  return eventNames.filter((name) => {
    const [subject, change] = name.split('.');
    return [name, `${subject}.*`, `*.${change}`, '*'].includes(pattern);
  });
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** null: it is not a URL of https, or of http on this machine: lines of a program are not sent in the clear. @param {string} text */
export function postAddress(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
  return isLocal || url?.protocol === 'https:' ? url : null;
}
