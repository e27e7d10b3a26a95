/** The type of `depends_on`: apps, and what each must have done. */
import { isObject } from '../../shared/checks.js';
import { strings } from './lists.js';
import { choice } from './values.js';

/**
 * @import { Condition } from '../spec.js'
 * @import { ValueType } from './values.js'
 */

const condition = choice(['ready', 'started', 'exited']);

/** @type {ValueType} conditions by app in the spec */
export const dependencies = {
  expected: 'the name of an app, a list of names, or a map of names to ready, started or exited',
  read(input) {
    if (isObject(input.value)) {
      const names = Object.keys(input.value);
      return Object.fromEntries(names.map((name) => [name, condition.read(input.child(name))]));
    }
    const isList = Array.isArray(input.value) || typeof input.value === 'string';
    return isList ? untilReady(strings.read(input) ?? []) : input.reject(dependencies.expected);
  },
  write(/** @type {Record<string, Condition>} */ value) {
    const areReady = Object.values(value).every((each) => each === 'ready');
    return areReady ? Object.keys(value) : value;
  },
  schema: {
    type: ['array', 'string', 'object'],
    items: { type: ['string', 'number'] },
    additionalProperties: { enum: condition.values },
  },
  typescript: "string | readonly string[] | Record<string, 'ready' | 'started' | 'exited'>",
};

/**
 * @param {readonly string[]} names
 * @returns {Record<string, Condition>} what a list of names means
 */
function untilReady(names) {
  return Object.fromEntries(names.map((name) => [name, 'ready']));
}
