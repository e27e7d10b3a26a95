/** The package: its interface, its links in a `bin`, its other command; forms of ecosystem files; what a shell has open. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { testRun } from '../../support/foreground/run.js';
import { BIN, NODE, PACKAGE, app, testHome, watched } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { descriptorsOf, processesOf } from '../../support/processes.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

t.test('beside a program, and in a directory of PATH', async (t) => {
  const { root, env, run } = testHome(t);
  const PORT = String(await freePort());
  for (const name of ['bin', 'node_modules']) mkdirSync(join(root, name));
  symlinkSync(PACKAGE, join(root, 'node_modules/nodecluster'));
  symlinkSync(join(PACKAGE, 'bin/nodecluster.js'), join(root, 'bin/nodecluster'));
  symlinkSync(join(PACKAGE, 'bin/nodecluster-runtime'), join(root, 'bin/nodecluster-runtime'));
  const options = { cwd: root, env: { ...env, PORT, XDG_RUNTIME_DIR: root } };
  const begin = (command, ...args) => watched(spawnClean(command, args, options), command);
  const command = join(root, 'bin/nodecluster');
  t.match(await begin(command, 'start', app('http-pid.cjs'), '--name', 'shop').ended, { code: 0 });

  const program = (load) =>
    `${load} const api = await connect(); console.log((await api.list())[0].name); api.close();`;
  const loads = {
    'imports.mjs': program(`import { connect } from 'nodecluster';`),
    'requires.cjs': `(async () => { ${program(`const { connect } = require('nodecluster');`)} })()`,
  };
  writeFiles(root, loads);
  for (const file of Object.keys(loads)) {
    t.match(await begin(NODE, file).ended, { code: 0, stdout: 'shop\n' }, file);
  }
  t.match(await run(['kill']), { code: 0 });

  const { child, ended } = begin(`${command}-runtime`, 'start', app('http-pid.cjs'));
  t.match(await until(() => ask(Number(PORT)), 'an answer'), { pid: Number });
  child.kill('SIGTERM');
  t.match(await ended, { code: 0, stderr: /SIGTERM: stopping/ });
});

const script = app('http-pid.cjs');

const yaml = ({ name, port }) =>
  `apps:\n  - name: ${name}\n    script: ${script}\n    env:\n      PORT: ${port}\n`;
const asPm2 = ({ name, port }) => `module.exports = {
  apps : [{
    name   : "${name}",
    script : "${script}",
    instances : "1",
    exec_mode : "cluster",
    env: { PORT: ${port}, APP_VERSION: "plain" },
    env_production: { APP_VERSION: "production" }
  }]
}
`;
const json = ({ name, port }) => JSON.stringify({ apps: [{ name, script, env: { PORT: port } }] });

t.test('each form', async (t) => {
  const { root, ok } = testHome(t);
  for (const [index, [file, text, flags, version]] of [
    ['ecosystem.yml', yaml, []],
    ['ecosystem.yaml', yaml, []],
    ['ecosystem.json', json, []],
    ['ecosystem.config.js', asPm2, [], 'plain'],
    ['ecosystem.config.cjs', asPm2, ['--env', 'production'], 'production'],
    ['ecosystem.config.mjs', (given) => `export default ${json(given)};\n`, []],
    ['standard input', yaml, ['-']],
  ].entries()) {
    const port = await freePort();
    const content = text({ name: `app${index}`, port });
    const cwd = `${root}/${index}`;
    writeFiles(cwd, { [file]: content });
    await ok(['start', ...flags], { cwd, stdin: content });
    const answer = await ask(port);
    t.match(answer, { slot: '0' }, file);
    t.equal(answer.version, version);
  }
});

const skip =
  process.platform === 'linux' ? false : 'only Linux tells which descriptors are inherited';

/** @param secret a file that the shell opens with a high descriptor */
function fromShell({ root, env }, secret, args) {
  const script = 'exec 200<>"$1"; shift; exec "$@"';
  const command = ['-c', script, 'bash', secret, NODE, BIN, ...args];
  return watched(spawnClean('bash', command, { cwd: root, env }), args.join(' '));
}

function holdersOf(root, file) {
  return processesOf(root).filter((pid) => {
    try {
      return descriptorsOf(pid).includes(file);
    } catch {
      return false; // It has exited meanwhile.
    }
  });
}

function prepare(root) {
  const [program, secret] = ['program.cjs', 'secret'].map((name) => join(root, name));
  writeFileSync(program, `console.log('It runs.');\nsetInterval(() => {}, 1000);\n`);
  writeFileSync(secret, 'secret');
  return { program, secret };
}

t.test('start, in cluster and in fork mode', { skip }, async (t) => {
  const home = testHome(t);
  const { program: script, secret } = prepare(home.root);
  const file = join(home.root, 'ecosystem.json');
  const apps = ['cluster', 'fork'].map((mode) => ({ name: mode, script, exec_mode: mode }));
  writeFileSync(file, JSON.stringify({ apps }));
  const { code, stderr } = await fromShell(home, secret, ['start', file]).ended;
  t.equal(code, 0, stderr);
  const pids = processesOf(home.root);
  for (const { name } of apps) t.ok(pids.includes((await home.pidsOf(name))[0]));
  t.same(holdersOf(home.root, secret), [], 'no daemon, primary or worker has it');
});

t.test('run', { skip }, async (t) => {
  const { root, env } = testRun(t);
  const { program, secret } = prepare(root);
  const begun = fromShell({ root, env }, secret, ['run', program]);
  await begun.said(/It runs/);
  t.same(holdersOf(root, secret), []);
  begun.child.kill('SIGTERM');
  t.equal((await begun.ended).code, 0);
});
