/** `npm run generate` writes the files that are generated from the tables of options and of commands, and from types. */
import { writeFile } from 'node:fs/promises';
import * as prettier from 'prettier';
import { optionsMarkdown } from './options-page.js';
import { jsonSchema } from './schema.js';
import { settingsTypes } from './settings-types.js';
import { checkModules } from './checks.js';
import { commandsMarkdown } from './commands-page.js';
import { eventNamesModule, outputSchema } from './output-schema.js';

await write('docs/reference/configuration.md', optionsMarkdown());
await write('docs/reference/commands.md', await commandsMarkdown());
await write('ecosystem.schema.json', JSON.stringify(jsonSchema()));
await write('src/api/app-settings.d.ts', settingsTypes());
const schema = outputSchema();
await write('docs/reference/json.schema.json', JSON.stringify(schema));
await write('src/features/alarms/event-names.js', eventNamesModule(schema));
for (const [path, make] of Object.entries(checkModules)) await write(path, make());

/**
 * @param {string} path in the repository
 * @param {string} text
 */
async function write(path, text) {
  const file = new URL(`../${path}`, import.meta.url);
  const filepath = file.pathname;
  const style = await prettier.resolveConfig(filepath);
  await writeFile(file, await prettier.format(text, { ...style, filepath }));
  console.log(path);
}
