import { jsonSchema } from '../../../config/describe/schema.js';
import { jsonText } from '../../render/mask.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'print the JSON Schema of ecosystem files',
  arguments: [],
  options: [],
  examples: ['nodecluster schema > ecosystem.schema.json'],
};

/** @param {Context} context */
export async function run({ print }) {
  print(jsonText(jsonSchema()));
  return 0;
}
