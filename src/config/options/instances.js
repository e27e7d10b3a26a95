/** The number of workers, and how they share connections. */
import { isObject } from '../../shared/checks.js';
import { ConfigValue } from '../file/config-value.js';
import { mapOf } from '../types/lists.js';
import * as type from '../types/values.js';

/**
 * @import { InstanceRange } from '../spec.js'
 * @import { GroupOption } from './option.js'
 */

const NUMBER = 'a number such as 4, max, -1 (all cores but one)';
/** As on a command line; also `2..` for `2..max`. */
const RANGE = /^(-?\d+|max)\.\.(-?\d+|max)?$/;

/** 0 or less is relative to the cores, which the daemon counts. */
const count = type.typeOf(
  NUMBER,
  {
    type: ['integer', 'string'],
    minimum: -type.MAX_INSTANCES,
    maximum: type.MAX_INSTANCES,
    pattern: '^(max|-?[0-9]+)$',
  },
  (input) => {
    const number = input.value === 'max' ? 0 : type.asInteger(input.value);
    if (number === null || Math.abs(number) <= type.MAX_INSTANCES) return number ?? undefined;
    return input.report(`${Math.abs(number)} is more than ${type.MAX_INSTANCES}`);
  },
  { write: (value) => (value === 0 ? 'max' : value) },
);

const share = type.typeOf(
  'a number above 0 and below 1, such as 0.8',
  { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  (input) => {
    const value = typeof input.value === 'string' ? Number(input.value) : input.value;
    return value > 0 && value < 1 ? value : undefined;
  },
);

const range = mapOf({
  min: { type: count, default: 1 },
  max: { type: count, default: 0 },
  elu: { type: share, default: 0.8 },
  cooldown: { type: type.duration({ min: 1000 }), default: 300_000 },
});

export const instancesType = type.typeOf(
  `${NUMBER}, or a range such as 2..max`,
  {
    ...count.schema,
    ...range.schema,
    type: ['integer', 'string', 'object'],
    pattern: '^(max|-?[0-9]+|(-?[0-9]+|max)\\.\\.(-?[0-9]+|max)?)$',
  },
  (input) => {
    const { value, path, source } = input;
    if (value === 'max' || type.asInteger(value) !== null) return count.read(input);
    const [, min, max = 'max'] = RANGE.exec(String(value)) ?? [];
    const map = min === undefined ? value : { min, max };
    if (!isObject(map)) return undefined;
    /** @type {InstanceRange | undefined} */
    const read = range.read(new ConfigValue(map, path, source));
    const areComparable = read && read.min > 0 === read.max > 0;
    if (areComparable && read.min > read.max) input.report('min is larger than max');
    return read;
  },
  {
    write(/** @type {number | InstanceRange} */ value) {
      return (typeof value === 'number' ? count : range).write?.(value);
    },
    typescript:
      "number | 'max' | `${number}` | `${number}..${number | 'max'}` | { min?: number | 'max'; max?: number | 'max'; elu?: number; cooldown?: number | string }",
  },
);

/** A number, or a string with the percentage. */
const countOrShare = type.typeOf(
  'a whole number (0 or more), or a percentage such as 50%',
  { type: ['integer', 'string'], minimum: 0, pattern: '^([0-9]+|([0-9]{1,2}|100)%)$' },
  ({ value }) => {
    const count = type.asInteger(value);
    const [, percentage] = /^(\d{1,3})%$/.exec(String(value)) ?? [];
    if (count === null) return Number(percentage) <= 100 ? value : undefined;
    return count >= 0 ? count : undefined;
  },
  { typescript: 'number | `${number}%`' },
);

/** @type {GroupOption[]} */
export const instances = [
  {
    key: 'instances',
    type: instancesType,
    default: 1,
    needs: 'scale',
    description:
      'Number of workers: `4` (at most 1000), `max` (one for each core, also `0`), or `-1` (all cores but one; at least one). The CPU limit of a container counts, rounded down (cgroup v2, or a Node with libuv 1.49 or newer); when it changes, workers are added or drained. `2..max` scales by load, in cluster mode: see [how](../guides/autoscaling.md), also for the map with `elu` and `cooldown`.',
    flag: {
      brief: 'number of workers; max: one for each core; 2..max: by load',
      short: '-i',
      takes: 'number',
    },
  },
  {
    key: 'ready_min',
    type: countOrShare,
    default: 1,
    description:
      'Number of workers that must be ready for `/ready` to answer 200, or a percentage of them, rounded up; never more than the app has. `0`: the app does not count.',
    flag: { takes: 'number' },
  },
  {
    key: 'exec_mode',
    type: type.choice(['cluster', 'fork'], { cluster_mode: 'cluster', fork_mode: 'fork' }),
    defaultText: '`cluster` for programs that Node runs, otherwise `fork`',
    needs: 'restart',
    description:
      'How the program runs. `cluster`: the processes share their ports and are replaced without a lost request. `fork`: plain processes, for every other program; a reload stops each one before its successor starts.',
    flag: { takes: 'mode' },
    pm2: [
      { flags: '-x, --execute-command', value: 'fork' },
      { keys: ['execute_command'], advice: 'use exec_mode: fork' },
    ],
  },
  {
    key: 'scheduling',
    type: type.choice(['fair', 'round-robin', 'sticky']),
    default: 'fair',
    needs: 'reload',
    inForkMode: ', where workers share no connections',
    description:
      'How connections are distributed to the workers of a cluster. `fair`: for most programs. The workers accept them directly, and one that has more than its share of open connections hands over the surplus. `round-robin`: if some requests compute for long, so that fewer of the others wait behind them. The primary accepts connections and gives one to each worker in turn, at about twice the CPU time. `sticky`: if a client must reach the same worker again, as in long-polling with socket.io. Its address decides; the default of [apps that depend on it](../guides/socket.io.md).',
    flag: { takes: 'policy' },
  },
  {
    key: 'instance_var',
    type: type.variableName,
    default: 'NODE_APP_INSTANCE',
    needs: 'reload',
    description: 'The environment variable that contains the number of the worker, from 0.',
    flag: { takes: 'variable' },
  },
  {
    key: 'increment_var',
    type: type.variableName,
    needs: 'reload',
    description:
      'An environment variable with a whole number, to which the number of each worker is added: with `PORT`, every process gets its own port.',
    flag: { takes: 'variable' },
  },
];
