/** A program sees the same process as under plain `node`, and each documented form of `listen` and `bind` does the same. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';
import { app, testHome, watched } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort, freePorts } from '../../support/ports.js';
import { ROOT } from '../../support/sources.js';
import { NODE, plainEnv, spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

const home = testHome(t);

/** What a cluster worker has beyond a plain process, as documented. */
const ADDED = ['NODE_APP_INSTANCE', 'NODECLUSTER_WORKER'];

const options = execFileSync(NODE, ['-p', '[...process.allowedNodeEnvironmentFlags].join()'], {
  encoding: 'utf8',
}).split(',');
const PERMISSIONS = [
  options.includes('--permission') ? '--permission' : '--experimental-permission',
  `--allow-fs-read=${realpathSync(app('.'))}`,
  ...(options.includes('--allow-net') ? ['--allow-net'] : []),
];

for (const [program, nodeArgs] of [
  ['reports-main.cjs', ['--max-http-header-size=20000']],
  ['reports-main.mjs', ['--max-http-header-size=20000']],
  ['reports-main.cjs', PERMISSIONS],
]) {
  t.test(`${program} ${nodeArgs[0]}`, async (t) => {
    const [plainPort, port] = [await freePort(), await freePort()];
    const args = ['one', '--two', 'three four'];

    const plainEnv = { ...home.env, PORT: String(plainPort), OWN: 'a b=c' };
    const plain = spawnClean(NODE, [...nodeArgs, app(program), ...args], {
      cwd: home.root,
      env: plainEnv,
    });
    t.teardown(() => plain.kill('SIGKILL'));
    const expected = await until(() => ask(plainPort), 'the plain program');

    const start = ['start', app(program), '--node-args', nodeArgs.join(' ')];
    await home.ok([...start, '--name', `at-${port}`, '--', ...args], {
      env: { PORT: String(port), OWN: 'a b=c' },
    });
    const seen = await ask(port);

    const environment = Object.fromEntries(
      Object.entries(seen.env).filter(([key]) => !ADDED.includes(key)),
    );
    t.same(environment, { ...expected.env, PORT: String(port) }, 'the same environment');
    t.equal(seen.env.NODE_APP_INSTANCE, '0');
    delete seen.env;
    delete expected.env;
    t.same(seen, expected, 'and all else the same');
  });
}

for (const mode of ['cluster', 'fork']) {
  t.test(`the permission model in NODE_OPTIONS, ${mode} mode`, async (t) => {
    const port = await freePort();
    const file = join(home.root, 'ecosystem.json');
    const env = { PORT: port, NODE_OPTIONS: PERMISSIONS.join(' ') };
    const program = { name: mode, script: app('reports-main.cjs'), exec_mode: mode, env };
    writeFileSync(file, JSON.stringify({ apps: [program] }));
    await home.ok(['start', file]);
    await home.ok(['reload', mode]);
    t.same((await ask(port)).execArgv, []);
    t.match(await home.appNamed(mode), { restarts: 0 });
    await home.ok(['stop', mode]);
  });
}

t.test("a program's own children do not load the agent", async (t) => {
  const port = await freePort();
  await home.ok(['start', app('starts-a-child.cjs')], { env: { PORT: String(port) } });
  const child = await ask(port);
  t.same(
    child.execArgv.filter((arg) => arg.includes('agent')),
    [],
  );
  t.equal(child.env.NODE_OPTIONS, undefined);
});

/** A hundred forms, one after another. */
const FORMS_MS = 150_000;
const PROGRAM = app('listens-in-every-form.cjs');
const tls = (name) => fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));

/** Workers share a socket: it may join a group twice, and stays in it. */
const SHARED_MEMBERSHIPS = [
  ...['done', 'done', 'done', 'done', 'done'],
  ...['ENODEV', 'EINVAL', 'done', 'done', 'done', 'done', 'done'],
];

t.test('each form of listen', async (t) => {
  const home = testHome(t);
  const DIRECTORY = join(home.root, 'sockets');
  mkdirSync(DIRECTORY);
  const env = {
    PORT: String(await freePort()),
    PORTS: JSON.stringify(await freePorts(2)),
    DIRECTORY,
    KEY: tls('key'),
    CERT: tls('cert'),
  };

  const plain = spawnClean(NODE, [PROGRAM], { cwd: home.root, env: { ...home.env, ...env } });
  t.teardown(() => plain.kill('SIGKILL'));
  const expected = await until(() => ask(Number(env.PORT)), 'the plain program', FORMS_MS);
  plain.kill('SIGKILL');
  await until(() => plain.signalCode, 'the plain program to exit');
  t.ok(Object.keys(expected).length > 90, 'many forms were tried');
  t.notMatch(JSON.stringify(expected), 'hangs');

  for (const scheduling of ['fair', 'round-robin']) {
    await home.ok(['start', PROGRAM, '--name', scheduling, '--scheduling', scheduling], { env });
    const seen = await until(() => ask(Number(env.PORT)), 'the worker', FORMS_MS);
    t.same(seen, { ...expected, memberships: SHARED_MEMBERSHIPS }, scheduling);
    await home.ok(['delete', scheduling]);
  }
});

t.test('port 0 is the same port in each worker', async (t) => {
  const home = testHome(t);
  const PORT = String(await freePort());
  await home.ok(['start', app('listens-on-any-port.cjs'), '-i', '2'], { env: { PORT } });
  const ports = new Map();
  await until(async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => ask(Number(PORT))));
    for (const { pid, port } of answers) ports.set(pid, port);
    return ports.size === 2;
  }, 'both workers to answer');
  const [one, other] = ports.values();
  t.equal(one, other);
  t.equal((await ask(one)).port, one);
});

t.test('a program that tries its port on other addresses first', async (t) => {
  const home = testHome(t);
  for (const scheduling of ['fair', 'round-robin']) {
    const PORT = await freePort();
    const env = { PORT: String(PORT) };
    await home.ok(['start', app('tries-its-port.cjs'), '--scheduling', scheduling], { env });
    t.strictSame(await ask(PORT), { busy: [] }, `${scheduling}: it is free, as for plain Node`);
    await home.ok(['delete', 'all']);
  }
});

const FILE = pathToFileURL(join(ROOT, 'src/shared/processes/inherited-descriptors.js')).href;
// Newer versions of Node read the file of NODE_EXTRA_CA_CERTS in a thread, whose descriptor looks like one of the shell.
// Closing it made the thread close one of somebody else, and left certificates out.
/** More than the thread reads at once. */
const CERTIFICATES = rootCertificates.slice(0, 20);

/** The descriptors below 16 are in use, so that the thread gets a higher one. */
const LOOKS = `
  import { openSync, readdirSync, readlinkSync } from 'node:fs';
  import { closeInheritedDescriptors } from ${JSON.stringify(FILE)};
  while (openSync('/dev/null') < 16);
  const linkOf = (fd) => { try { return readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } };
  const isReading = () => readdirSync('/proc/self/fd').some((fd) => linkOf(fd) === process.env.NODE_EXTRA_CA_CERTS);
  const { getCACertificates } = await import('node:tls');
  while (!isReading()) await new Promise(setImmediate);
  console.log('It reads.');
  closeInheritedDescriptors();
  console.log('certificates:', getCACertificates('extra').length);
  process.exit();
`;

t.test('certificates that a thread of Node reads', async (t) => {
  const version = execFileSync(NODE, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (process.platform !== 'linux' || Number.parseInt(version) < 24) {
    return t.skip('only later versions of Node, on Linux, have this thread');
  }
  const fifo = join(t.testdir(), 'certificates.pem');
  execFileSync('mkfifo', [fifo]);
  const env = { ...plainEnv(), NODE_EXTRA_CA_CERTS: fifo };
  const args = ['--input-type=module', '-e', LOOKS];
  const program = watched(spawnClean(NODE, args, { env }), 'the program');
  const writer = await open(fifo, 'w');
  await writer.write(`${CERTIFICATES[0]}\n`);
  await program.said(/It reads/);
  const stat = `/proc/${program.child.pid}/stat`;
  await until(
    () => /\) S /.test(readFileSync(stat, 'latin1')),
    'its main thread to wait for the other',
  );
  await writer.write(CERTIFICATES.slice(1).join('\n'));
  await writer.close();
  const { stdout, stderr } = await program.ended;
  t.match(stdout, `certificates: ${CERTIFICATES.length}\n`);
  t.equal(stderr, '', 'no certificate is ignored');
});
