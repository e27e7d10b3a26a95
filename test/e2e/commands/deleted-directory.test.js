/** Commands in a directory that was deleted: what needs no path works, and the others name it. */
import t from 'tap';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commands } from '../../../src/cli/commands.js';
import { app, BIN, NODE, PACKAGE, testHome } from '../../support/home.js';

/** Exit codes of command lines; 7: they need a path. */
const LINES = {
  ls: [['ls', 0]],
  ping: [['ping', 0]],
  describe: [['describe api', 0]],
  env: [['env api', 0]],
  logs: [['logs --no-follow', 0]],
  events: [['events --json --no-follow', 0]],
  audit: [['audit', 0]],
  why: [['why api', 0]],
  metrics: [['metrics', 0]],
  doctor: [['doctor', 0]],
  jlist: [['jlist', 0]],
  id: [['id api', 0]],
  pid: [['pid api', 0]],
  completion: [
    ['completion bash', 0],
    ['completion words -- stop a', 0],
  ],
  monit: [['monit', 7]],
  attach: [['attach api', 0]],
  web: [['web --port x', 2]],
  'run-now': [['run-now api', 6]],
  flush: [['flush', 0]],
  'reload-logs': [['reload-logs', 0]],
  reset: [['reset api', 0]],
  send: [['send api 1', 0]],
  signal: [['signal SIGWINCH api', 0]],
  scale: [['scale api 2', 0]],
  reload: [
    ['reload all', 0],
    ['reload api --max-requests 9', 0],
    ['reload', 7],
    ['reload x.yml', 7],
  ],
  prove: [['prove', 2]],
  restart: [['restart api', 0]],
  apply: [['apply', 7]],
  profile: [['profile api:0 --heap', 7]],
  report: [
    ['report --print', 0],
    ['report', 7],
  ],
  run: [['run', 7]],
  serve: [['serve', 7]],
  init: [
    ['init', 7],
    ['init --from-running -', 0],
  ],
  import: [['import', 7]],
  export: [['export kubernetes', 7]],
  startup: [['startup --print', 0]],
  unstartup: [['unstartup --print', 2]],
  save: [['save', 0]],
  update: [['update', 0]],
  daemon: [['daemon', 6]],
  stop: [['stop api', 0]],
  start: [
    ['start api', 0],
    ['start', 7],
    ['start .', 7],
    ['start ./app.js', 7],
    ['start x.yml', 7],
    [`start ${app('http-pid.cjs')} -n b`, 7],
    [`start ${app('http-pid.cjs')} -n b --cwd / --set-env PORT=0`, 0],
  ],
  kill: [['kill', 0]],
  resurrect: [['resurrect', 0]],
  delete: [['delete api', 0]],
};

t.test('every command', async (t) => {
  const home = testHome(t);
  await home.startApi();
  const gone = join(home.root, 'gone');
  const script = join(home.root, 'in-gone.sh');
  writeFileSync(script, `rmdir '${gone}' && exec '${NODE}' '${BIN}' "$@"\n`);
  const runGone = (args, how = {}) => {
    mkdirSync(gone);
    return home.run(args, { cwd: gone, node: '/bin/sh', bin: script, ...how });
  };
  t.same(
    commands.map(({ name }) => name).sort(),
    Object.keys(LINES).sort(),
    'every command is tried',
  );
  const rows = Object.values(LINES).flat();
  for (const [line, expected] of [['--version', 0], ['--help', 0], ['help start', 0], ...rows]) {
    const { code, stdout, stderr } = await runGone(String(line).split(' '));
    t.equal(code, expected, `${line}: exit code`, { stdout, stderr });
    t.notMatch(stdout + stderr, /uv_cwd|^ +at .*:\d+:\d+/m, `${line}: no stack`);
    if (expected === 7 && line !== 'monit') {
      t.match(stderr, `error: ${gone}, the directory that you are in, was deleted.`, String(line));
    }
  }
  const relative = await runGone(['ls'], { env: { NODECLUSTER_HOME: 'home' } });
  t.match(relative, { code: 7, stderr: /E_DIRECTORY_DELETED/ }, 'a relative NODECLUSTER_HOME');
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
  t.equal(stdout, 'E_DIRECTORY_DELETED 0\n');
});
