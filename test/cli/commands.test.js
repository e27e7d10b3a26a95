/** The commands as a set: what each must have, and that the documentation knows them all. */
import t from 'tap';
import { commands } from '../../src/cli/commands.js';
import { EPILOGUE } from '../../src/cli/program.js';
import { pm2Answer } from '../../src/clients/pm2/answers.js';
import { settingOptions } from '../../src/config/flags.js';
import { packageFile } from '../../src/errors/package-file.js';
import { assertValid } from '../support/json-output.js';
import { read, shippedSources } from '../support/sources.js';
import { commandWith, runOk } from './fake-context.js';

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

t.test('each kind of reason is described', async (t) => {
  const page = read('docs/reference/json.md');
  for (const { properties } of schema.definitions.Reason.anyOf) {
    const { const: one, enum: several = [one] } = properties.kind;
    for (const kind of several) t.match(page, `\`${kind}\``);
  }
});

const worker = {
  ...{ id: 0, slot: 0, pid: 7, status: 'online', cpu: 1, memory: 1024 },
  ...{ startedAt: 1000, restarts: 0, generation: 1, listening: [] },
};
const identity = { name: 'api', namespace: 'default' };
const app = { ...identity, status: 'online', mode: 'cluster', workers: [worker] };
const listed = { daemon: { pid: 1, version: '0' }, apps: [app], notes: ['App b was set aside.'] };

t.test('ls, of all and of some apps', async (t) => {
  const all = await runOk('ls', { daemon: { list: () => listed } });
  t.match(all.printed[0], /^ 0 {2}api/m);
  t.ok(all.noted.includes('App b was set aside.'));
  const json = await runOk('ls --json', { daemon: { list: () => listed } });
  t.same(JSON.parse(json.printed[0]), listed);
  const list = ({ selectors }) => ({ ...listed, apps: [{ ...app, name: selectors[1] }] });
  const { asked, printed } = await runOk('ls 3 web', { daemon: { list } });
  t.same(asked[0].params, { fields: ['usage'], selectors: ['3', 'web'] });
  t.match(printed[0], /^ 0 {2}web/m);
});

t.test('a wide terminal asks the workers what they measure, --json never does', async (t) => {
  for (const [line, width, fields] of [
    ['ls', 120, ['usage', 'vitals']],
    ['ls', 80, ['usage']],
    ['ls', null, ['usage']],
    ['ls --json', 120, ['usage']],
    ['ls --json', null, ['usage']],
  ]) {
    const { asked, context, run } = await commandWith(line, { daemon: { list: () => listed } });
    context.stdout.width = width;
    await run();
    t.same(asked[0].params.fields, fields, `${line}, ${width}`);
  }
});

t.test('ls without daemon and apps is empty, not an error', async (t) => {
  const json = await runOk('ls --json', { daemon: null });
  t.same(JSON.parse(json.printed[0]), { daemon: null, apps: [], notes: [] });
  await t.rejects(runOk('ls api', { daemon: null }), { code: 'E_NO_APPS' }, 'of a named app it is');
});

t.test('describe', async (t) => {
  const described = {
    ...app,
    ...{ alarms: [], logs: { out: [], error: [] } },
    script: '/srv/api.js',
    spec: { args: [], cwd: '/srv', given: {} },
  };
  const list = ({ selectors }) => ({ apps: [{ ...described, name: selectors[0] }] });
  const text = await runOk('describe api', { daemon: { list } });
  t.match(text.printed[0], /^api {2}online/);
  const json = await runOk('describe api --json', { daemon: { list } });
  t.same(JSON.parse(json.printed[0]), { apps: [described] });
});

t.test('env asks for secrets only when told', async (t) => {
  const env = () => ({ apps: [{ name: 'api', env: { A: { value: '1', from: 'file' } } }] });
  const masked = await runOk('env api', { daemon: { env } });
  t.same(masked.printed, ['A=1  # file']);
  t.equal(masked.asked[0].params.showSecrets, false);
  const shown = await runOk('env api --show-secrets', { daemon: { env } });
  t.equal(shown.asked[0].params.showSecrets, true);
});

t.test('ping', async (t) => {
  const ping = () => ({ pid: 7, version: '1.2.3', node: '20.0.0', startedAt: Date.now() - 61_000 });
  const alive = await runOk('ping', { daemon: { ping } });
  t.same(alive.printed, ['pong: nodecluster 1.2.3, pid 7, Node 20.0.0, up 1m 1s']);
  await t.rejects(runOk('ping', { daemon: null }), { code: 'E_DAEMON_NOT_RUNNING', exitCode: 8 });
});

t.test('kill says what it stopped', async (t) => {
  const kill = () => ({ apps: ['api'], remembered: ['api', 'web'] });
  const { printed } = await runOk('kill', { daemon: { kill } });
  t.matchSnapshot(printed.join('\n'), 'stopped');
  const nobody = await runOk('kill', { daemon: null });
  t.matchSnapshot(nobody.printed[0], 'nothing to stop');
});
