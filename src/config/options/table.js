/** The table of all options of an app: validation, flags, help, documentation and JSON Schema are made of it. */
import { environment, privileges, program } from './program.js';
import { instances } from './instances.js';
import { featureOptions } from '../../features/options.js';
import { logs } from './logs.js';
import { restarts, startAndStop } from './start-and-stop.js';
import { pm2Names } from './pm2-names.js';
import { ConfigSource, ConfigValue } from '../file/config-value.js';
import { nearest, snakeCase } from '../spelling.js';
import { specKey } from '../types/lists.js';

/**
 * @import { Spec } from '../spec.js'
 * @import { GroupOption, Needs, Option, Pm2Name } from './option.js'
 */

/** @type {readonly Option[]} */
export const options = Object.freeze([
  ...inGroup('The program', program, 'reload'),
  ...inGroup('Instances', instances),
  ...inGroup('Environment', environment, 'reload'),
  ...inGroup('Restarts', restarts),
  ...inGroup('Starting and stopping', startAndStop),
  ...featureOptions.flatMap(({ group, options: own }) => inGroup(group, own)),
  ...inGroup('Logs', logs),
  ...inGroup('User and group', privileges, 'restart'),
]);

/** @param {string} group @param {GroupOption[]} members @param {Needs} [needs] @returns {Option[]} */
function inGroup(group, members, needs = 'configure') {
  return members.map((option) => {
    const spec = specKey(option.key, option.type);
    const flag = option.type.unit === 'Ms' ? { takes: 'duration' } : undefined;
    return { spec, default: null, needs, flag, ...option, group };
  });
}

/** Those that a spec has. */
export const specOptions = /** @type {readonly (Option & {spec: string})[]} */ (
  options.filter(({ spec }) => spec !== null)
);

/** @type {Map<string, Option>} */
const byKey = new Map(
  options.flatMap((option) => [option.key, ...(option.aliases ?? [])].map((key) => [key, option])),
);
const pm2ByKey = new Map(
  [...pm2Names, ...options.flatMap(({ pm2 = [] }) => pm2)].flatMap((name) =>
    (name.keys ?? []).map((key) => [key, name]),
  ),
);

/** @param {string} key @returns {{option: Option} | {environment: string} | {pm2: Pm2Name} | {nearest: string|null}} */
export function identifyKey(key) {
  const snake = snakeCase(key);
  const option = byKey.get(snake);
  if (option) return { option };
  const environment = /^env_(.+)$/.exec(key)?.[1];
  if (environment) return { environment };
  const pm2 = pm2ByKey.get(snake);
  return pm2 ? { pm2 } : { nearest: nearest(snake, byKey.keys()) };
}

/** @param {Option} option @returns {any} as a spec has it; undefined if there is no default */
export function defaultOf(option) {
  if (option.default === null) return undefined;
  return option.type.read(new ConfigValue(option.default, [], new ConfigSource()));
}

/** Adds options that are newer than the version that stored it. @param {Partial<Spec>} spec @returns {Spec} */
export function completeSpec(spec) {
  const defaults = specOptions
    .filter((option) => !(option.spec in spec))
    .map((option) => [option.spec, defaultOf(option) ?? null]);
  const withoutOption = { configFile: null, resolvedFrom: null, modeReason: null, onDemand: false };
  return { ...withoutOption, given: {}, ...Object.fromEntries(defaults), ...spec };
}

/** @param {Option} option @returns {string} for documentation and help: `5s` */
export function describeDefault({ default: value, defaultText }) {
  if (defaultText) return defaultText;
  if (value === null || typeof value === 'object') return 'none';
  return `\`${value}\``;
}
