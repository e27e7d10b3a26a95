/** The JSON Schema of ecosystem files, by which editors complete and check them. */
import { describeDefault } from './option.js';
import { camelCase } from '../options/keys.js';
import { options } from '../options/table.js';

/** @import { Option } from '../options/table.js' */

const ENVIRONMENT = 'env_<name>';

/** @returns {Record<string, any>} draft 7, the one that editors know */
export function jsonSchema() {
  const app = { $ref: '#/definitions/app' };
  const list = { type: 'array', minItems: 1, items: app };
  const apps = { anyOf: [list, app] };
  const asides = { properties: { $schema: { type: 'string' } }, patternProperties: { '^x-': {} } };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Ecosystem file of nodecluster',
    description: 'A file with apps, a list of apps, or a single app.',
    if: { type: 'object', anyOf: [{ required: ['apps'] }, { required: ['pm2'] }] },
    then: {
      type: 'object',
      properties: { apps, pm2: apps, ...asides.properties },
      patternProperties: asides.patternProperties,
      additionalProperties: false,
    },
    else: { anyOf: [list, wholeFile(appSchema(), asides)] },
    definitions: { app: appSchema() },
  };
}

/**
 * A closed map cannot be widened, so the options are named again.
 * @param {{properties: object, patternProperties: object}} app
 * @param {{properties: object, patternProperties: object}} asides
 */
function wholeFile(app, asides) {
  const references = Object.keys(app.properties).map((key) => [key, refersTo({ key })]);
  return {
    ...app,
    properties: { ...Object.fromEntries(references), ...asides.properties },
    patternProperties: { ...app.patternProperties, ...asides.patternProperties },
  };
}

function appSchema() {
  const plain = options.filter(({ key }) => key !== ENVIRONMENT);
  const otherNames = plain.flatMap((option) => {
    const names = spellings(option);
    return names.length === 0 ? [] : [[`^(${names.join('|')})$`, refersTo(option)]];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(plain.map((option) => [option.key, optionSchema(option)])),
    patternProperties: {
      ...Object.fromEntries(otherNames),
      '^env_(?!file$).+$': optionSchema(/** @type {Option} */ (environmentOption())),
    },
    anyOf: ['script', ...(options.find(({ key }) => key === 'script')?.aliases ?? [])].map(
      (key) => ({ required: [key] }),
    ),
    additionalProperties: false,
  };
}

/** @param {Option} option */
function optionSchema(option) {
  const { description, type } = option;
  const text = description.replace(/`/g, '');
  return {
    description: `${text} Default: ${describeDefault(option).replace(/`/g, '')}.`,
    anyOf: [type.schema, { type: 'null' }],
  };
}

/**
 * Other spellings are understood and checked, but not offered.
 * @param {Option} option
 */
function spellings({ key, aliases = [] }) {
  const names = [key, ...aliases];
  const all = names.flatMap((name) => [name, camelCase(name), name.replace(/_/g, '-')]);
  return [...new Set(all)].filter((name) => name !== key);
}

/** @param {{key: string}} option */
function refersTo({ key }) {
  return { $ref: `#/definitions/app/properties/${key}` };
}

function environmentOption() {
  return options.find(({ key }) => key === ENVIRONMENT);
}
