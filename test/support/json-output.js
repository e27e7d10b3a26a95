/** What commands print with --json, held against docs/reference/json.schema.json. */
import { findCommand } from '../../src/cli/commands.js';
import { read } from './sources.js';

/** @import { Ajv } from 'ajv' */
/** @import { Ended } from './home.js' */

/** They print one value a line. */
const BY_LINE = ['logs', 'run', 'events', 'audit'];

/** @type {Promise<Ajv> | undefined} */
let validator;

/**
 * @param {string[]} args of a command that a test has run; without --json there is nothing to check
 * @param {Ended} ended
 */
export async function assertOutput(args, { stdout, stderr, signal }) {
  const name = findCommand(args[0])?.name;
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  // The lines of daemon.log are not an interface, and a killed command may end in the middle of one.
  const isDescribed = own.includes('--json') && !own.includes('--daemon') && signal === null;
  if (!name || !isDescribed) return;
  const texts = BY_LINE.includes(name) ? stdout.split('\n') : [stdout];
  for (const text of texts.filter((each) => each.trim() !== '')) await assertValid(name, text);
  const [error] = /^\{\n {2}"error": \{[^]*/m.exec(stderr) ?? [];
  if (error) await assertValid('error', error);
}

/**
 * @param {string} name of a command, or `error`
 * @param {string} text that it has printed
 */
export async function assertValid(name, text) {
  const ajv = await (validator ??= load());
  const check = ajv.getSchema(`output#/properties/${name}`);
  if (!check) throw new Error(`the schema has no ${name}`);
  if (check(JSON.parse(text))) return;
  const faults = ajv.errorsText(check.errors, { separator: '\n' });
  throw new Error(`${name} --json is not what the schema says:\n${text}\n${faults}`);
}

async function load() {
  const { Ajv } = await import('ajv');
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema(closed(JSON.parse(read('docs/reference/json.schema.json'))), 'output');
  return ajv;
}

/**
 * Within a major version keys are added, so the schema allows others; here one that it does not name is a mistake.
 * @param {any} schema
 * @returns {any}
 */
function closed(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const parts = Object.entries(schema).map(([key, part]) => [key, closed(part)]);
  const isObject = schema.type === 'object' && schema.properties !== undefined;
  return { ...(isObject ? { additionalProperties: false } : {}), ...Object.fromEntries(parts) };
}
