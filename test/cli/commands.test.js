/** The commands as a set: what each must have, and that the documentation knows them all. */
import t from 'tap';
import { packageFile } from '../../src/errors/package-file.js';
import { EPILOGUE } from '../../src/cli/program.js';
import { pm2Answer } from '../../src/cli/usage-error.js';
import { commands } from '../../src/cli/commands.js';
import { settingOptions } from '../../src/config/flags.js';
import { assertValid } from '../support/json-output.js';
import { read, shippedSources } from '../support/sources.js';

const page = read('docs/reference/commands.md');
/** The settings of an app, whose wording belongs to the table of options. */
const settingFlags = new Set(settingOptions().map(({ flags }) => flags));

t.test('every file of a command is in the table', async (t) => {
  const isCommand = /^src\/(cli\/commands\/|(clients|features)\/\w+\/command\b)/;
  const files = shippedSources().filter((path) => isCommand.test(path));
  const load = (file) => import(new URL(`../../${file}`, import.meta.url).href);
  const modules = await Promise.all(files.map(load));
  const found = modules.flatMap((module) =>
    'run' in module ? [module] : Object.values(module).filter((each) => each.run !== undefined),
  );
  const loaded = new Set(await Promise.all(commands.map(({ load }) => load())));
  const wrong = found.filter((each) => !loaded.has(each)).map(({ command }) => command.summary);
  t.same(wrong, []);
});

t.test('no name or alias is used twice', async (t) => {
  const words = commands.flatMap(({ name, aliases }) => [name, ...aliases]);
  t.equal(new Set(words).size, words.length);
});

for (const { name, aliases, load } of commands) {
  t.test(`${name} is complete and documented`, async (t) => {
    const { command, run } = await load();
    t.type(run, 'function');
    t.match(command.summary, /^[a-z].*[^.]$/);
    t.ok(command.examples.length > 0);
    const words = [name, ...aliases].join('|');
    for (const each of command.examples) t.match(each, new RegExp(`nodecluster (${words})\\b`));
    const section = page.split(/^### /m).find((part) => part.startsWith(`${name}\n`)) ?? '';
    t.ok(section, 'has a section');
    for (const alias of aliases) t.ok(section.includes(`\`${alias}\``), alias);
    const ownOptions = command.options.filter(({ flags }) => !settingFlags.has(flags));
    t.matchSnapshot(wordingOf({ ...command, options: ownOptions }), `wording of ${name}`);
  });
}

function wordingOf({ summary, details = '', arguments: words, options, examples }) {
  const rows = [
    ...words.map((each) => `${each.name}: ${each.summary}`),
    ...options.map((each) => `${each.flags}: ${each.summary}`),
  ];
  return [summary, details, ...rows, ...examples].filter((line) => line !== '').join('\n');
}

t.test('every command of PM2 exists here, or gets advice', async (t) => {
  const own = commands.flatMap(({ name, aliases }) => [name, ...aliases]);
  const pm2 =
    'start trigger deploy startOrRestart startOrReload pid startOrGracefulReload stop restart ' +
    'scale profile reload id inspect delete sendSignal ping update report link unlink monitor ' +
    'unmonitor open plus login logout dump cleardump save resurrect unstartup startup logrotate ' +
    'ecosystem init reset describe list ls ps status jlist sysmonit slist prettylist monit imonit ' +
    'dash dashboard flush reloadLogs logs kill pull forward backward deepUpdate serve autoinstall ' +
    'examples install uninstall package publish set multiset get conf env info show';
  for (const word of pm2.split(' ')) {
    const answer = pm2Answer([word]);
    t.equal(own.includes(word), answer === null, word);
    if (answer) t.match(answer.text, /\.$/, word);
  }
  const rows = pm2.split(' ').map((word) => `${word}: ${pm2Answer([word])?.text ?? '(a command)'}`);
  t.matchSnapshot(rows.join('\n'), 'advice on commands of PM2');
});

t.test('the end of the main help', async (t) => {
  t.matchSnapshot(EPILOGUE.replace(packageFile(''), '<package>/'), 'epilogue');
  const documented = read('docs/reference/errors.md').replace(/ +/g, ' ');
  for (const [, code, meaning] of EPILOGUE.matchAll(/^ +(\d+) +(.+)$/gm)) {
    t.match(documented, `| ${code} | ${meaning} |`);
  }
});

// docs/reference/json.md: an example of each command with --json, as the schema says it is.

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
  const shown = examples.flatMap(({ name, comment }) => [name, ...comment.split(/[^\w-]+/)]);
  const wrong = withJson.filter((name) => !shown.includes(name));
  t.same(wrong, []);
  for (const { name, output } of examples) {
    // Some have one object on each line, and these are broken into lines that begin with blanks.
    for (const text of output.split(/\n(?=\{ )/))
      await assertValid(text.startsWith('{ "error"') ? 'error' : name, text);
  }
});
