/** docs/reference/json.md: an example of each command with --json, as the schema says it is. */
import t from 'tap';
import { commands } from '../../src/cli/commands.js';
import { assertValid } from '../support/json-output.js';
import { read } from '../support/sources.js';

const schema = JSON.parse(read('docs/reference/json.schema.json'));
const blocks = [...read('docs/reference/json.md').matchAll(/^```console\n(.*?)^```$/gms)];
const examples = blocks.flatMap(([, text]) =>
  [...text.matchAll(/^\$ nodecluster ([\w-]+)(.*)\n((?:(?!\$ ).*\n)+)/gm)].map(
    ([, name, rest, output]) => ({ name, comment: rest.split('# ')[1] ?? '', output }),
  ),
);

t.test('the schema has every command with --json, and each is in an example', async (t) => {
  const withJson = [];
  for (const { name, load } of commands) {
    const { options } = (await load()).command;
    if (options.some(({ flags }) => flags.includes('--json'))) withJson.push(name);
  }
  t.same(Object.keys(schema.properties).sort(), [...withJson, 'error'].sort());
  const shown = examples.flatMap(({ name, comment }) => [
    name,
    ...(comment.match(/[\w-]+/g) ?? []),
  ]);
  const wrong = withJson.filter((name) => !shown.includes(name));
  t.same(wrong, []);
});

for (const { name, output } of examples) {
  t.test(`the example of ${name}`, async () => {
    // Some have one object on each line, and these are broken into lines that begin with blanks.
    for (const text of output.split(/\n(?=\{ )/)) {
      await assertValid(text.startsWith('{ "error"') ? 'error' : name, text);
    }
  });
}
