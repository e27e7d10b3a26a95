/** The JSON Schema of ecosystem files, which editors use to complete and check them. */
import { spellingsOf } from '../src/config/spelling.js';
import { options, describeDefault } from '../src/config/options/table.js';

/** @import { Option } from '../src/config/options/option.js' */

const ENVIRONMENT = 'env_<name>';
/** Keys beside the apps. */
const EXTENSIONS = {
  properties: { $schema: { type: 'string' } },
  patternProperties: { '^x-': {} },
};

/** @returns {Record<string, any>} draft 7, the one that editors support */
export function jsonSchema() {
  const app = appSchema();
  const one = { $ref: '#/definitions/app' };
  const apps = listOr(one, one);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Ecosystem file of nodecluster',
    description: 'A file with apps, a list of apps, or a single app.',
    if: { type: 'object', anyOf: [{ required: ['apps'] }, { required: ['pm2'] }] },
    then: {
      type: 'object',
      properties: { apps, pm2: apps, ...EXTENSIONS.properties },
      patternProperties: EXTENSIONS.patternProperties,
      additionalProperties: false,
    },
    else: listOr(one, singleAppFile(app)),
    definitions: { app },
  };
}

/**
 * By its kind, not `anyOf`: a validator then names the key that is wrong, not the whole list.
 * @param {object} one
 * @param {object} otherwise
 */
function listOr(one, otherwise) {
  return { if: { type: 'array' }, then: { minItems: 1, items: one }, else: otherwise };
}

/**
 * A schema without additional properties cannot be extended, so the options are listed again.
 * @param {ReturnType<typeof appSchema>} app
 */
function singleAppFile(app) {
  const references = Object.keys(app.properties).map((key) => [key, referenceTo(key)]);
  return {
    ...app,
    properties: { ...Object.fromEntries(references), ...EXTENSIONS.properties },
    patternProperties: { ...app.patternProperties, ...EXTENSIONS.patternProperties },
  };
}

function appSchema() {
  const plain = options.filter(({ key }) => key !== ENVIRONMENT);
  const [environment] = options.filter(({ key }) => key === ENVIRONMENT);
  const [{ aliases = [] }] = options.filter(({ key }) => key === 'script');
  // Other spellings are checked, but editors do not offer them.
  const otherNames = plain.flatMap(({ key, aliases: others }) => {
    const [, ...names] = spellingsOf(key, others);
    return names.length > 0 ? [[`^(${names.join('|')})$`, referenceTo(key)]] : [];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(plain.map((option) => [option.key, optionSchema(option)])),
    patternProperties: {
      ...Object.fromEntries(otherNames),
      '^env_(?!(file|from)$).+$': optionSchema(environment),
    },
    if: { anyOf: aliases.map((key) => ({ required: [key] })) },
    else: { required: ['script'] },
    additionalProperties: false,
  };
}

/** @param {Option} option */
function optionSchema(option) {
  const text = `${option.description} Default: ${describeDefault(option)}.`;
  return { description: text.replace(/`/g, ''), ...nullable(option.type.schema) };
}

/** Without `anyOf` where that can be: a validator then says what is wrong with the value, not that it is not null. @param {Record<string, any>} schema */
function nullable(schema) {
  const { type, enum: values } = schema;
  if (!type && !values) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    ...(type && { type: [type, 'null'].flat() }),
    ...(values && { enum: [...values, null] }),
  };
}

/** @param {string} key */
function referenceTo(key) {
  return { $ref: `#/definitions/app/properties/${key}` };
}
