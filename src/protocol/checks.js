/* Generated from types by `npm run generate`. */
/* eslint max-lines: off */
import { list, map, number, object, oneOf, stringOf, tuple } from '../shared/checks.js';

export const programFamily = object({
  name: stringOf({ pattern: /^(?!nodecluster_)[a-zA-Z_:][a-zA-Z0-9_:]{0,199}$/ }),
  type: oneOf('counter', 'gauge', 'histogram', 'summary'),
  help: stringOf({ maxLength: 1000 }),
  samples: list(
    tuple(
      oneOf('', '_bucket', '_sum', '_count'),
      map(
        stringOf({ pattern: /^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,99}$/ }),
        stringOf({ maxLength: 1000 }),
      ),
      number,
    ),
  ),
  aggregator: oneOf('sum', 'average', 'min', 'max', 'first'),
});
