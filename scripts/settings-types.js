/** src/api/app-settings.d.ts, the type of an app's settings, made from the table of options. */
import { camelCase } from '../src/config/spelling.js';
import { options, describeDefault } from '../src/config/options/table.js';

/**
 * @import { Option } from '../src/config/options/option.js'
 * @import { ValueType } from '../src/config/types/values.js'
 */

const ENVIRONMENT = 'env_<name>';
/** The only option without which there is no app. */
const PROGRAM = 'script';

/** @returns {string} TypeScript, to be formatted */
export function settingsTypes() {
  const [environment] = options.filter(({ key }) => key === ENVIRONMENT);
  const [program] = options.filter(({ key }) => key === PROGRAM);
  const others = options.filter((option) => option !== environment && option !== program);
  return `// Generated from src/config/options/ by \`npm run generate\`.
import type { Signal } from '../config/spec.js';

interface Values {
${others.map((option) => `${documentation(option)}\n${option.key}: ${typeOf(option.type)};`).join('\n')}
}

type Settings = { [Key in keyof Values]?: Values[Key] | null };

type CamelCase<Key extends string> = Key extends \`\${infer Start}_\${infer Rest}\`
  ? \`\${Start}\${Capitalize<CamelCase<Rest>>}\`
  : Key;

type InCamelCase = { [Key in keyof Settings as CamelCase<Key>]: Settings[Key] };

/**
 * The settings of a program. Each key can be written in snake_case or in camelCase, but not in
 * both. \`null\` means the default. See docs/reference/configuration.md.
 */
export interface ProgramSettings extends Settings, InCamelCase {
${documentation(environment)}
[environment: \`env_\${string}\`]: ${typeOf(environment.type)} | Settings['env_file' | 'env_from'];
}

/** An app as in an ecosystem file. */
export interface AppSettings extends ProgramSettings {
${documentation(program)}
${PROGRAM}: ${typeOf(program.type)};
}
`;
}

/** The type says which values there are. @param {Option} option */
function documentation(option) {
  return `/** ${withoutEnd(`${option.description} Default: ${describeDefault(option)}.`)} */`;
}

/** @param {string} text of a comment */
function withoutEnd(text) {
  return text.replaceAll('*/', '*\\/');
}

/** @param {Pick<ValueType, 'values' | 'typescript' | 'schema'>} type */
function typeOf({ values, typescript, schema }) {
  return typescript ?? (values ? literals(values) : fromSchema(schema));
}

/** @param {Record<string, any>} schema @returns {string} */
function fromSchema({ enum: values, type, ...rest }) {
  if (values) return literals(values);
  const names = [type].flat().map((name) => fromName(name, rest));
  return [...new Set(names)].join(' | ');
}

/** @param {string} name of a type @param {Record<string, any>} schema */
function fromName(name, { pattern, items = {}, properties = {} }) {
  if (name === 'integer') return 'number';
  if (name === 'string') return pattern === '^[0-9]+$' ? '`${number}`' : name;
  if (name === 'array') return `readonly (${fromSchema(items)})[]`;
  if (name !== 'object') return name;
  const members = Object.entries(properties).flatMap(([key, value]) =>
    [...new Set([key, camelCase(key)])].map((each) => `${each}?: ${fromSchema(value)}`),
  );
  return `{ ${members.join('; ')} }`;
}

/** @param {readonly string[]} values */
function literals(values) {
  return values.map((value) => `'${value}'`).join(' | ');
}
