import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { UnixPaths } from '../../../../src/primary/sockets/unix-paths.js';
import { answerOf } from '../../../support/http-ask.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

const reached = async (socketPath) => {
  const { body } = await until(() => answerOf({ socketPath }), `an answer at ${socketPath}`);
  return JSON.parse(body);
};

const modeOf = (path) => (statSync(path).mode & 0o777).toString(8);

/**
 * Of two that start at once, one may unlink the file in the moment in which the other one has been
 * told that it listens, and is about to change its mode: that one dies of it, and starts again.
 */
const started = async (primary) => {
  await primary.ask('start');
  const areOnline = ({ slots }) => slots.every(({ status }) => status === 'online');
  await primary.when(areOnline, 'both to be online');
};

/** @returns sockets that listen in it; null: not to be known */
function listeningIn(folder) {
  if (process.platform !== 'linux') return null;
  const isListening = (line) =>
    line.includes(' 00010000 ') && line.includes(`${basename(folder)}/`);
  return readFileSync('/proc/net/unix', 'utf8').split('\n').filter(isListening).length;
}

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(`a program that unlinks its unix socket stays reachable: ${scheduling}`, async (t) => {
    const folder = temporaryDirectory(t);
    const SOCKET = join(folder, 'app.sock');
    const spec = await specOf('unlinks-its-socket.cjs', {
      instances: 2,
      scheduling,
      env: { SOCKET, CHMOD: 'yes' },
    });
    const primary = await startPrimary(t, spec);
    await started(primary);
    t.ok((await reached(SOCKET)).pid, 'after both have removed it');
    const sockets = listeningIn(folder);

    const before = await primary.pids();
    t.match(await primary.ask('reload'), { ok: true });
    t.match(await primary.ask('reload'), { ok: true });
    t.notOk(before.includes((await reached(SOCKET)).pid), 'after reloads, by a new worker');
    t.equal(modeOf(SOCKET), '666');
    t.equal(listeningIn(folder), sockets, 'no reload adds a socket');

    t.match(await primary.ask('stop'), { ok: true });
    await until(() => readdirSync(folder).length === 0, 'the file to be gone');
    await started(primary);
    t.ok((await reached(SOCKET)).pid, 'after a stop and a start');
  });
}

t.test('a version that unlinks it and then fails leaves the old one reachable', async (t) => {
  const folder = temporaryDirectory(t);
  const SOCKET = join(folder, 'app.sock');
  const change = { instances: 2, env: { SOCKET } };
  const primary = await startedPrimary(t, 'unlinks-its-socket.cjs', change);
  const { spec } = primary;
  const mode = modeOf(SOCKET);
  t.match(mode, /^(666|777)$/, 'as this version of Node understands it');
  const bad = { ...spec, env: { ...spec.env, FAILS: 'yes' } };
  t.match(await primary.ask('reload', { spec: bad, generation: 2 }), { ok: false });
  const pids = await primary.pids();
  t.ok(pids.includes((await reached(SOCKET)).pid));
  t.equal(modeOf(SOCKET), mode);
});

t.test('a relative path', async (t) => {
  const cwd = temporaryDirectory(t);
  const env = { SOCKET: 'app.sock' };
  const spec = await specOf('unlinks-its-socket.cjs', { instances: 2, cwd, env });
  const primary = await startPrimary(t, spec);
  await started(primary);
  t.ok((await reached(join(cwd, 'app.sock'))).pid);
});

t.test('a file that a killed primary left is removed, that of another socket is not', async (t) => {
  const folder = temporaryDirectory(t);
  const path = join(folder, 'app.sock');
  const owner = { home: '/home/a', app: 'api' };
  const killed = new UnixPaths(owner);
  writeFileSync(path, 'in place of a socket');
  t.ok(killed.protect(path, {}));
  for (const other of [
    { ...owner, app: 'web' },
    { ...owner, home: '/home/b' },
  ]) {
    new UnixPaths(other).removeStale(path);
  }
  killed.removeStale(path);
  t.ok(statSync(path), 'it is in use');
  const next = new UnixPaths(owner);
  next.removeStale(path);
  t.notOk(existsSync(path));
  writeFileSync(path, 'of another program');
  next.removeStale(path);
  t.ok(statSync(path));
  rmSync(path);
  writeFileSync(path, 'the next one');
  t.ok(next.protect(path, {}), 'the second link is replaced');
});
