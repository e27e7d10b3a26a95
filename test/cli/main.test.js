/** The real command line as a process: streams, exit codes, and what it leaves behind. */
import t from 'tap';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../src/protocol/server.js';
import { ensureHome } from '../../src/shared/home.js';
import { fileURLToPath } from 'node:url';
import { plainEnv, spawnClean } from '../support/spawn-clean.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const bin = fileURLToPath(new URL('../../bin/nodecluster.js', import.meta.url));
const noFull = existsSync('/dev/full') ? false : 'there is no /dev/full here';
const root = temporaryDirectory(t);
const home = join(root, 'home');

function begin(command, args, env = {}) {
  const child = spawnClean(command, args, {
    cwd: root,
    env: { ...plainEnv(root), NODECLUSTER_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
  const ended = new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
  return { child, ended };
}

const run = (args, env) => begin(process.execPath, [bin, ...args], env).ended;

t.test('help and version are results', async (t) => {
  t.match(await run(['--help']), { code: 0, stdout: /^Usage: nodecluster/, stderr: '' });
  t.match(await run(['--version']), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/, stderr: '' });
});

t.test('errors go to stderr: the message, then what to do; with --json as JSON', async (t) => {
  const stderr = /^error: .*'strat'\.\n {2}Did you mean start\?.*\n$/;
  t.match(await run(['strat']), { code: 2, stdout: /^$/, stderr });
  const json = await run(['ping', '--json']);
  t.match(json, { code: 8, stdout: /^$/ });
  t.match(JSON.parse(json.stderr), { error: { code: 'E_DAEMON_NOT_RUNNING', exitCode: 8 } });
});

t.test('commands that only look create nothing', async (t) => {
  t.match(await run(['ls']), { code: 0, stdout: /nodecluster start/, stderr: '' });
  t.match(await run(['kill']), { code: 0 });
  t.notOk(existsSync(home));
});

t.test('a result that cannot be written has no stack', { skip: noFull }, async (t) => {
  const command = `"${process.execPath}" "${bin}" --version > /dev/full`;
  const stderr = /^error: Could not write the result.*\(ENOSPC\)\.\n.*\n$/;
  t.match(await begin('sh', ['-c', command]).ended, { code: 7, stderr });
});

t.test('the output of an ecosystem file goes to stderr', async (t) => {
  const paths = ensureHome(join(root, 'told'));
  const apps = [{ name: 'app', action: 'stop', ok: true, done: [0], failed: [], kept: [] }];
  const server = await serve(paths.daemonSocket, {
    hello: { role: 'daemon', version: '0' },
    methods: { list: async () => ({ apps: [{ name: 'app' }] }), stop: async () => ({ apps }) },
  });
  t.teardown(() => server.close());
  writeFileSync(join(root, 'app.js'), '');
  writeFileSync(
    join(root, 'a.config.js'),
    `console.log('injecting 1'); process.stdout.write('from .env\\n');
    module.exports = { name: 'app', script: 'app.js' };`,
  );
  writeFileSync(
    join(root, 'b.config.mjs'),
    `console.log('injecting 1'); await new Promise(setImmediate); console.log('from .env');
    export default { name: 'app', script: 'app.js' };`,
  );
  for (const file of ['a.config.js', 'b.config.mjs']) {
    const said = await run(['stop', file, '--json'], { NODECLUSTER_HOME: paths.home });
    t.equal(said.code, 0);
    t.same(JSON.parse(said.stdout), { apps });
    t.match(said.stderr, /injecting 1\nfrom \.env\n/);
  }
});
