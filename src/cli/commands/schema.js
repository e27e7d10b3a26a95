import { jsonSchema } from '../../config/describe/schema.js';
import { jsonText } from '../../show/mask.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'print the JSON Schema of ecosystem files',
  arguments: [],
  options: [],
  examples: ['nodecluster schema > ecosystem.schema.json'],
};

/** @type {Run} */
export async function run({ print }) {
  print(jsonText(jsonSchema()));
  return 0;
}
