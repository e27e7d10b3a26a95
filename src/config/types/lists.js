/** What lists and maps options take. */
import { asInteger, asText } from './scalars.js';
import { splitWords } from './split-words.js';

/**
 * @import { ConfigValue } from '../file/config-value.js'
 * @import { ValueType } from './values.js'
 */

const same = (/** @type {any} */ value) => value;

/** Arguments: a list, or one text that is split as a shell would. */
/** @type {ValueType} */
export const words = {
  expected: 'a list of texts, or one text that is split at blanks',
  read(input) {
    if (Array.isArray(input.value)) return readItems(input, texts.expected);
    const whole = asText(input, { emptyToo: true });
    const parts = whole === null ? null : splitWords(whole);
    return parts ?? input.reject(words.expected, whole === null ? '' : 'a quote is not closed');
  },
  write: same,
  schema: textsSchema(),
};

/** @type {ValueType} */
export const texts = {
  expected: 'a text or a list of texts',
  read(input) {
    if (Array.isArray(input.value)) return readItems(input, 'a text');
    const one = asText(input);
    return one === null ? input.reject(texts.expected) : [one];
  },
  write: same,
  schema: textsSchema(),
};

/** @type {ValueType} */
export const exitCodeList = {
  expected: 'a list of exit codes (0 to 255)',
  read(input) {
    const { value } = input;
    const list = typeof value === 'string' ? value.split(/[\s,]+/) : [value].flat();
    const codes = list.map(asInteger);
    const fit = codes.every((code) => code !== null && code >= 0 && code <= 255);
    return fit ? codes : input.reject(exitCodeList.expected);
  },
  write: same,
  schema: {
    type: ['array', 'integer', 'string'],
    items: { type: 'integer', minimum: 0, maximum: 255 },
    minimum: 0,
    maximum: 255,
    pattern: '^[0-9]+([ ,]+[0-9]+)*$',
  },
};

/** @type {ValueType} */
export const watched = {
  expected: 'true, false, or a list of paths',
  read(input) {
    // YAML 1.2 has no yes and no: a text that looks like one is a slip, not a path.
    if (
      /^(yes|no|on|off|true|false)$/i.test(String(input.value)) &&
      typeof input.value !== 'boolean'
    ) {
      return input.reject('true or false');
    }
    if (typeof input.value === 'boolean') return input.value;
    if (Array.isArray(input.value)) return readItems(input, 'a path');
    const one = asText(input);
    return one === null ? input.reject(watched.expected) : [one];
  },
  write: same,
  schema: {
    type: ['boolean', 'string', 'array'],
    minLength: 1,
    not: { type: 'string', pattern: '^([Yy]es|[Nn]o|[Oo]n|[Oo]ff|[Tt]rue|[Ff]alse)$' },
    items: { type: 'string' },
  },
};

/** @type {ValueType} */
export const variables = {
  expected: 'a map of variables',
  read(input) {
    const map = typeof input.value === 'string' ? null : input.value;
    if (map === null || typeof map !== 'object' || Array.isArray(map)) {
      return input.reject(variables.expected);
    }
    const pairs = Object.keys(map).map((name) => [name, readVariable(input.child(name), name)]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  },
  write: same,
  schema: {
    type: 'object',
    propertyNames: { pattern: '^[^=]+$' },
    additionalProperties: {
      type: ['string', 'number', 'boolean', 'object', 'array', 'null'],
    },
  },
};

/**
 * PM2 hands maps and lists on as JSON, and so do we.
 * @param {ConfigValue} input
 * @param {string} name
 */
function readVariable(input, name) {
  if (!/^[^=\0]+$/.test(name)) {
    return void input.report(`expected a name without "=", got ${JSON.stringify(name)}`, 'key');
  }
  if (input.value === undefined || input.value === null) return undefined;
  const value = asText(input, { emptyToo: true });
  if (value !== null) return value;
  try {
    return JSON.stringify(input.value) ?? input.reject('a text');
  } catch {
    return input.reject('a text');
  }
}

/**
 * @param {ConfigValue} input one that holds a list
 * @param {string} expected
 * @returns {(string|undefined)[]}
 */
function readItems(input, expected) {
  return input.value.map((/** @type {unknown} */ _, /** @type {number} */ index) => {
    const item = input.child(index);
    return asText(item, { emptyToo: true }) ?? item.reject(expected);
  });
}

function textsSchema() {
  return {
    type: ['array', 'string', 'number'],
    items: { type: ['string', 'number', 'boolean'] },
  };
}
