/** How a worker shows that it can serve. */
import { command, mapOf } from '../../config/types/lists.js';
import { asString, duration, integer } from '../../config/types/values.js';
import { ConfigValue } from '../../config/file/config-value.js';
import { isObject } from '../../shared/checks.js';

/**
 * @import { ValueType } from '../../config/types/values.js'
 * @import { FeatureOptions } from '../options.js'
 */

/** Other characters would end the line of the request. */
const TARGET = '^(/|https?://)[\\x21-\\x7e]*$';

/** @type {ValueType} in the spec as it was written */
const http = {
  expected: 'a path such as /health, or a URL such as http://127.0.0.1:3001/health',
  read(input) {
    const value = asString(input) ?? '';
    const isTarget = new RegExp(TARGET).test(value) && URL.canParse(value, 'http://localhost');
    return isTarget ? value : input.reject(http.expected);
  },
  schema: { type: 'string', pattern: TARGET },
};

const time = duration({ min: 100 });

const map = mapOf({
  http: { type: http, default: null, isRare: true },
  exec: { type: command, default: null, isRare: true },
  interval: { type: time, default: 10_000 },
  timeout: { type: time, default: 5000 },
  failures: { type: integer({ min: 1, max: 1000 }), default: 3 },
  start_period: { type: time, default: 30_000 },
});

/** @type {ValueType} */
const type = {
  ...map,
  expected:
    'a path such as /health, or a map of http or exec, interval, timeout, failures and start_period',
  read(input) {
    const { value, path, source } = input;
    if (typeof value === 'string') {
      const target = http.read(input);
      return target && { ...map.read(new ConfigValue({}, path, source)), http: target };
    }
    if (!isObject(value)) return input.reject(type.expected);
    const read = map.read(input);
    const isEither = read && (read.http === null) !== (read.exec === null);
    return read && !isEither ? input.reject('either http or exec') : read;
  },
  schema: { ...map.schema, type: ['object', 'string'], pattern: TARGET },
};

/** @type {FeatureOptions} */
export const health = {
  group: 'Health checks',
  options: [
    {
      key: 'health',
      type,
      defaultText: 'no checks',
      isOfService: true,
      description:
        'How each worker is checked: a path (2xx and 3xx are healthy), or a map. A check begins every `interval` (10s) and fails after `timeout` (5s). After `failures` (3) in a row the worker gets no new connections and is replaced as in a reload; if all of several workers fail, none is replaced. A new worker is online only after its first success; failures in its first `start_period` (30s) do not count. [More](../guides/health-checks.md). `http`: a path, requested of every worker by itself, or a URL if a worker listens on several ports. `exec`: a command without a shell; exit code 0 is healthy.',
      flag: {
        brief: 'request this path of every worker, and replace those that fail',
        takes: 'path',
        help: 'Path that is requested of every worker: one is online once it has answered, and is replaced when it fails three times in a row. A file also has commands, times and counts. Default: no checks.',
      },
    },
  ],
};
