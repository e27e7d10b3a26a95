/** `watch` in a daemon: what causes a reload, and that nothing which is watched keeps the daemon from answering. */
import t from 'tap';
import { appendFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandHere } from '../../../support/command-here.js';
import { app } from '../../../support/home.js';
import { until } from '../../../support/until.js';
import { gated, killed, startedDaemon, webSpec } from '../../daemon-under-test.js';

const SOON = { timeoutMs: 20_000 };

function causes(log) {
  return [...log.matchAll(/"event":"watch\.changed".*"file":"([^"]*)"/g)].map(([, file]) => file);
}

t.test(
  'a directory that holds the system harms neither the daemon nor its successor',
  async (t) => {
    const daemon = await startedDaemon(t);
    const root = await webSpec({ name: 'root', instances: 1, watch: true, cwd: '/' });
    const proc = await webSpec({ name: 'proc', instances: 1, watch: ['/proc', '/sys'] });
    await daemon.ask('start', { specs: [root, proc] });
    const note = /watch does not watch \/(proc)?, because it holds the system/;
    const bothSaySo = async () =>
      (await daemon.ask('list', {}, SOON)).apps.every((app) => note.test(app.note));
    await until(bothSaySo, 'both to be refused');
    await killed(daemon.child.pid);
    await daemon.start();
    await until(bothSaySo, 'the next daemon to say so');
    await daemon.ask('delete', { selectors: ['root'] }, SOON);
    await daemon.ask('kill', {}, SOON);
  },
);

t.test(
  'log files and pid files of all apps cause no reload; a change names its file',
  async (t) => {
    const daemon = await startedDaemon(t);
    const cwd = path.join(daemon.root, 'program');
    mkdirSync(path.join(cwd, 'src'), { recursive: true });
    symlinkSync(cwd, path.join(daemon.root, 'link'));
    const watched = await webSpec({
      name: 'watched',
      instances: 1,
      watch: true,
      cwd,
      outFile: path.join(cwd, 'out.txt'),
      pidFile: path.join(cwd, 'run.pid'),
    });
    await daemon.ask('start', { specs: [watched] });
    await daemon.logged(/watch.started/);
    // Of an app that comes later, under another name of the directory.
    const other = await webSpec({
      name: 'other',
      instances: 2,
      errorFile: path.join(daemon.root, 'link', 'err.txt'),
      logFile: path.join(cwd, 'src', 'all.txt'),
      pidFile: path.join(daemon.root, 'link', 'other.pid'),
    });
    await daemon.ask('start', { specs: [other] });
    await daemon.ask('restart', { selectors: ['watched'] });
    for (const file of ['out.txt', 'out.txt.000001', 'err.txt', 'err-1.txt', 'src/all-0.txt']) {
      appendFileSync(path.join(cwd, file), 'a line\n');
    }
    t.ok(readdirSync(cwd).includes('other-1.pid'));
    const { generation } = await daemon.view('watched');
    const write = () => writeFileSync(path.join(cwd, 'src', 'a.js'), '');
    for (let count = 1; count <= 3; count++) {
      write();
      await until(() => causes(daemon.log()).length === count, 'the change to be seen');
      await until(
        async () => (await daemon.view('watched')).generation === generation + count,
        'a reload',
      );
    }
    t.same(causes(daemon.log()), ['src/a.js', 'src/a.js', 'src/a.js']);
    const { note } = await daemon.view('watched');
    t.match(note, /src\/a\.js has caused 3 reloads; .*start watched --ignore-watch src\/a\.js/);
    const { changes } = (await daemon.ask('list', { fields: ['details'] })).apps[0];
    t.match(changes[0], { action: 'reload', by: { role: 'watch', user: null, file: 'src/a.js' } });
  },
);

t.test('a program that is started in / with --watch is refused', async (t) => {
  const daemon = await startedDaemon(t);
  const env = { ...process.env, NODECLUSTER_HOME: daemon.paths.home };
  const command = ['start', app('http-pid.cjs'), '--watch'];
  const { code, stderr } = await commandHere(command, { cwd: '/', env });
  t.equal(code, 2);
  t.match(
    stderr,
    'cannot watch /, which holds the system: start the app in its directory, set cwd',
  );
  t.same((await daemon.ask('list')).apps, []);
});

t.test('saves during a reload cause one more, and count as that', async (t) => {
  const daemon = await startedDaemon(t);
  const cwd = path.join(daemon.root, 'program');
  mkdirSync(cwd);
  const { spec, open, close } = await gated(daemon, {
    name: 'watched',
    instances: 1,
    watch: true,
    cwd,
  });
  await daemon.ask('start', { specs: [spec] });
  await daemon.logged(/watch.started/);
  const { generation } = await daemon.view('watched');
  close();
  for (let count = 1; count <= 4; count++) {
    writeFileSync(path.join(cwd, 'a.js'), '');
    await until(() => causes(daemon.log()).length === count, 'the change to be seen');
  }
  open();
  await until(
    async () => (await daemon.view('watched')).generation === generation + 2,
    'a second reload',
  );
  const { note } = await daemon.view('watched');
  t.notMatch(note ?? '', 'has caused');
});
