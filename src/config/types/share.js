import { asInteger } from './scalars.js';

/** @import { ValueType } from './values.js' */

const EXPECTED = 'a whole number (0 or more), or a percentage such as 50%';

/** @type {ValueType} a number, or a string with the percentage */
export const countOrShare = {
  expected: EXPECTED,
  read(input) {
    const count = asInteger(input.value);
    if (count !== null) return count >= 0 ? count : input.reject(EXPECTED);
    const percentage = /^(\d{1,3})%$/.exec(String(input.value));
    return percentage && Number(percentage[1]) <= 100 ? input.value : input.reject(EXPECTED);
  },
  schema: { type: ['integer', 'string'], minimum: 0, pattern: '^([0-9]+|([0-9]{1,2}|100)%)$' },
  typescript: 'number | `${number}%`',
};
