import { jsonSchema } from '../../config/schema.js';
import { jsonText } from '../render/mask.js';

/** @type {import('../verbs.js').CommandData} */
export const command = {
  summary: 'print the JSON Schema of ecosystem files',
  arguments: [],
  options: [],
  examples: ['nodecluster schema > ecosystem.schema.json'],
};

/** @param {import('../context.js').Context} context */
export async function run({ print }) {
  print(jsonText(jsonSchema()));
  return 0;
}
