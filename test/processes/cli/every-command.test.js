/**
 * What each command prints with --json is as docs/reference/json.schema.json says, which `testHome` compares; and what it
 * does in a directory that was deleted.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { commands } from '../../../src/cli/commands.js';
import { writeFiles } from '../../support/files.js';
import { BIN, NODE, PACKAGE, app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { read } from '../../support/sources.js';

/** They need a process of their own, minutes, or a service of the machine: other tests run them. */
const ELSEWHERE = ['run', 'prove', 'unstartup', 'error'];

t.test('the output of each command', async (t) => {
  const { root, run, ok } = testHome(t, { inProcess: true });
  writeFiles(root, {
    'job.cjs': 'console.log(1)',
    'ecosystem.yml': {
      apps: [
        { name: 'api', script: app('http-pid.cjs'), instances: 2, env: { PORT: await freePort() } },
        { name: 'job', script: './job.cjs', schedule: '0 0 1 1 *' },
      ],
    },
  });
  const known = Object.keys(JSON.parse(read('docs/reference/json.schema.json')).properties);
  const tried = new Set(ELSEWHERE);
  const commands = [
    'apply --dry-run',
    'start ecosystem.yml',
    'start api',
    'ls',
    'describe all',
    'env api',
    'send api {"a":1}',
    'signal SIGCONT api',
    'why api',
    'profile api:0 --heap',
    'scale api 3',
    'apply',
    'reload api --set-env A=1',
    'reload api --canary 1 --for 1s',
    'restart api:0',
    'run-now job',
    'logs --no-follow',
    `serve . ${await freePort()}`,
    'reset api',
    'flush',
    'ping',
    'doctor',
    'startup systemd --print',
    'update',
    'stop api',
    'ls api',
    'delete job',
    'events --no-follow',
    'audit',
    'describe nothing',
    'kill',
    'resurrect',
    'update',
  ];
  for (const line of commands) {
    const args = [...line.split(' '), '--json'];
    const ended = await run(args);
    const printed = args[1] === 'nothing' ? ended.stderr : ended.stdout;
    t.match(printed, /^[[{]/, `${line}: ${ended.stderr}`);
    tried.add(args[0]);
  }
  t.same([...known].sort(), [...tried].sort());
  await ok(['kill']);
});

/** Of the other commands, `<command> api` needs no path. The codes of these lines; 7: they would write there. */
const LINES = {
  ls: [['ls', 0]],
  ping: [['ping', 0]],
  logs: [['logs --no-follow', 0]],
  events: [['events --json --no-follow', 0]],
  completion: [['completion words -- stop a', 0]],
  monit: [['monit', 7]],
  attach: [['attach api:0', 0]],
  metrics: [['metrics', 0]],
  audit: [['audit', 0]],
  doctor: [['doctor', 0]],
  jlist: [['jlist', 0]],
  web: [['web --port x', 2]],
  'run-now': [['run-now api', 6]],
  send: [['send api 1', 0]],
  signal: [['signal SIGWINCH api', 0]],
  scale: [['scale api 2', 0]],
  reload: [
    ['reload api --max-requests 9', 0],
    ['reload', 2],
    ['reload x.yml', 3],
  ],
  prove: [['prove', 2]],
  apply: [['apply', 2]],
  profile: [['profile api:0 --heap', 7]],
  report: [
    ['report --print', 0],
    ['report', 7],
  ],
  run: [['run', 2]],
  serve: [['serve', 4]],
  init: [
    ['init', 4],
    ['init --from-running -', 0],
  ],
  import: [['import', 4]],
  export: [['export kubernetes', 2]],
  startup: [['startup --print', 0]],
  unstartup: [['unstartup --print', 2]],
  start: [
    ['start', 2],
    ['start .', 4],
    ['start ./app.js', 4],
    ['start x.yml', 3],
    [`start ${app('http-pid.cjs')} -n b`, 2],
    [`start ${app('http-pid.cjs')} -n b --cwd / --set-env PORT=0`, 0],
  ],
};
/** In their order, at the end: they need a process of their own. */
const IN_SHELL = [
  ['stop api', 0],
  ['update', 0],
  ['daemon', 6],
  ['kill', 0],
  ['resurrect', 0],
  ['delete api', 0],
];

t.test('every command', async (t) => {
  const home = testHome(t, { inProcess: true });
  await home.startApi();
  const gone = join(home.root, 'gone');
  const script = join(home.root, 'in-gone.sh');
  writeFileSync(script, `rmdir '${gone}' && exec '${NODE}' '${BIN}' "$@"\n`);
  const inShell = (args, how = {}) => {
    mkdirSync(gone);
    return home.run(args, { cwd: gone, node: '/bin/sh', bin: script, ...how });
  };
  const check = async (line, expected, run) => {
    const { code, stdout, stderr } = await run(line.split(' '));
    t.equal(code, expected, `${line}: exit code`, { stdout, stderr });
    t.notMatch(stdout + stderr, /uv_cwd|^ +at .*:\d+:\d+/m, `${line}: no stack`);
    if (expected === 7 && line !== 'monit') {
      t.match(stderr, `Could not write ${gone} (deleted)/`, line);
    }
  };
  const last = IN_SHELL.map(([line]) => line.split(' ')[0]);
  const names = commands.map(({ name }) => name).filter((name) => !last.includes(name));
  const rows = names.flatMap((name) => LINES[name] ?? [[`${name} api`, 0]]);
  // As the command line reads the path of a directory that was deleted.
  for (const [line, code] of rows)
    await check(line, code, (args) => home.run(args, { cwd: `${gone} (deleted)` }));
  for (const [line, code] of [
    ['--version', 0],
    ['help start', 0],
    ['ls', 0],
    ['start', 2],
    ...IN_SHELL,
  ])
    await check(line, code, inShell);
  const relative = await inShell(['ls'], { env: { NODECLUSTER_HOME: 'home' } });
  t.match(relative, { code: 7, stderr: /which was deleted/ }, 'a relative NODECLUSTER_HOME');
});

t.test('the programmatic interface', async (t) => {
  const home = testHome(t);
  const gone = join(home.root, 'gone');
  mkdirSync(gone);
  const api = pathToFileURL(join(PACKAGE, 'src/api/nodecluster.js')).href;
  const program = join(home.root, 'program.mjs');
  writeFileSync(
    program,
    `import { rmdirSync } from 'node:fs';
    rmdirSync(process.cwd());
    const { connect } = await import(process.argv[2]);
    const apps = await connect();
    const { error } = await apps.start('./app.js').then(() => ({}), (error) => ({ error }));
    console.log(error.code, (await apps.list()).length);
    await apps.close();`,
  );
  const { stdout } = await home.ok([api], { cwd: gone, bin: program });
  t.equal(stdout, 'E_NEITHER_FILE_NOR_APP 0\n');
});
