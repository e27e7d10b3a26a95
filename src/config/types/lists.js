/** What lists and maps options take. */
import { asInteger, asText } from './scalars.js';
import { splitWords } from './split-words.js';

/**
 * @import { Place } from '../file/position.js'
 * @import { ValueType } from './values.js'
 */

const same = (/** @type {any} */ value) => value;

/** Arguments: a list, or one text that is split as a shell would. */
/** @type {ValueType} */
export const words = {
  expected: 'a list of texts, or one text that is split at blanks',
  read(place) {
    if (Array.isArray(place.value)) return readItems(place, texts.expected);
    const whole = asText(place, { emptyToo: true });
    const parts = whole === null ? null : splitWords(whole);
    return parts ?? place.refuse(words.expected, whole === null ? '' : 'a quote is not closed');
  },
  write: same,
  schema: textsSchema(),
};

/** @type {ValueType} */
export const texts = {
  expected: 'a text or a list of texts',
  read(place) {
    if (Array.isArray(place.value)) return readItems(place, 'a text');
    const one = asText(place);
    return one === null ? place.refuse(texts.expected) : [one];
  },
  write: same,
  schema: textsSchema(),
};

/** @type {ValueType} */
export const exitCodeList = {
  expected: 'a list of exit codes (0 to 255)',
  read(place) {
    const { value } = place;
    const list = typeof value === 'string' ? value.split(/[\s,]+/) : [value].flat();
    const codes = list.map(asInteger);
    const fit = codes.every((code) => code !== null && code >= 0 && code <= 255);
    return fit ? codes : place.refuse(exitCodeList.expected);
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
  read(place) {
    // YAML 1.2 has no yes and no: a text that looks like one is a slip, not a path.
    if (
      /^(yes|no|on|off|true|false)$/i.test(String(place.value)) &&
      typeof place.value !== 'boolean'
    ) {
      return place.refuse('true or false');
    }
    if (typeof place.value === 'boolean') return place.value;
    if (Array.isArray(place.value)) return readItems(place, 'a path');
    const one = asText(place);
    return one === null ? place.refuse(watched.expected) : [one];
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
  read(place) {
    const map = typeof place.value === 'string' ? null : place.value;
    if (map === null || typeof map !== 'object' || Array.isArray(map)) {
      return place.refuse(variables.expected);
    }
    const pairs = Object.keys(map).map((name) => [name, readVariable(place.child(name), name)]);
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
 * @param {Place} place
 * @param {string} name
 */
function readVariable(place, name) {
  if (!/^[^=\0]+$/.test(name)) {
    return void place.report(`expected a name without "=", got ${JSON.stringify(name)}`, 'key');
  }
  if (place.value === undefined || place.value === null) return undefined;
  const value = asText(place, { emptyToo: true });
  if (value !== null) return value;
  try {
    return JSON.stringify(place.value) ?? place.refuse('a text');
  } catch {
    return place.refuse('a text');
  }
}

/**
 * @param {Place} place one that holds a list
 * @param {string} expected
 * @returns {(string|undefined)[]}
 */
function readItems(place, expected) {
  return place.value.map((/** @type {unknown} */ _, /** @type {number} */ index) => {
    const item = place.child(index);
    return asText(item, { emptyToo: true }) ?? item.refuse(expected);
  });
}

function textsSchema() {
  return {
    type: ['array', 'string', 'number'],
    items: { type: ['string', 'number', 'boolean'] },
  };
}
