/** `prove`: an app under traffic while it is reloaded and its processes are killed. */
import { createServer } from 'node:http';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { listening } from '../../support/listening.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

t.test('an app in cluster mode is proven', async (t) => {
  const { ok, list, appNamed, startApi } = testHome(t);
  const env = { PORT: String(await startApi(['-i', '2', '--min-uptime', '300ms'])) };
  const elsewhere = { env: { PORT: String(await freePort()) } };
  await ok(['start', app('http-pid.cjs'), '--name', 'other'], elsewhere);
  const before = await list();
  const { stdout, stderr } = await ok(['prove', 'api', '--yes', '--json']);
  const result = JSON.parse(stdout);
  t.match(result, { app: 'api', url: `http://127.0.0.1:${env.PORT}/`, ok: true });
  const events = ['before', 'reload', 'worker', 'primary', 'daemon'];
  t.same(
    result.events.map(({ event }) => event),
    events,
  );
  for (const event of result.events) {
    t.match(event, { lost: event.inFlight, reasons: {}, trouble: null }, event.event);
    t.ok(event.requests > 20);
  }
  t.match(stderr, /api shares its primary with other: their workers start again too/);
  t.match(stderr, /api: killing its primary/);
  t.match(stderr, /✔ api: proven/);
  const after = await list();
  t.not(after.daemon.pid, before.daemon.pid);
  const { status, generation, primaryPid, workers } = await appNamed('api');
  t.match(
    { status, generation, workers },
    { status: 'online', generation: 2, workers: { length: 2 } },
  );
  t.not(primaryPid, before.apps[0].primaryPid);
});

t.test('an app in fork mode loses requests in a reload', async (t) => {
  const { run, startApi } = testHome(t);
  await startApi(['--exec-mode', 'fork'], { program: 'listens-late.cjs' });
  const lost = await run(['prove', 'api', '--yes', '--only', 'reload']);
  t.equal(lost.code, 5, lost.stderr);
  t.match(lost.stdout, /^before +\d+ +0 .*\nreload +\d+ +[1-9]/m);
  t.match(lost.stderr, /api runs in fork mode.*requests in between are lost/s);
  t.match(lost.stderr, /✖ api: not proven\.\n {2}reload: \d+ requests? lost \(\d+ × ECONN/);
  t.match(await run(['prove', 'api', '--yes', '--only', 'primary']), {
    code: 2,
    stderr: /apps in fork mode share it/,
  });
});

t.test('Ctrl-C in the middle leaves the app whole', async (t) => {
  const { begin, appNamed, startApi } = testHome(t);
  await startApi(['-i', '2', '--min-uptime', '200ms']);
  const interrupted = begin(['prove', 'api', '--yes', '--only', 'reload,daemon']);
  await interrupted.said(/killing the daemon/);
  interrupted.child.kill('SIGINT');
  t.match(await interrupted.ended, { code: 130, stdout: '' });
  await until(async () => {
    const { status, busy, workers } = await appNamed('api');
    return status === 'online' && busy === undefined && workers.length === 2;
  }, 'the app to be whole');
});

t.test('what is refused leaves the app alone', async (t) => {
  const { ok, run, list } = testHome(t);
  const env = { PORT: String(await freePort()), FAILS: '1' };
  t.match(await run(['prove', '--yes']), { code: 4 });
  await ok(['start', app('fails-sometimes.cjs'), '--name', 'api'], { env });
  await ok(['start', app('never-listens.cjs'), '--name', 'quiet']);
  const other = createServer((_request, response) => response.end('of another program'));
  const elsewhere = `http://127.0.0.1:${await listening(t, other)}/`;
  const before = JSON.stringify((await list()).apps.map(({ workers: [{ pid }] }) => pid));
  const refusals = [
    [['--yes'], 2, /Could not choose between api, quiet/],
    [['api'], 2, /asks first.*--yes/s],
    [['api', '--yes'], 6, /does not answer every request to http:.* \(status 500\)/],
    [['api', '--yes', '--url', elsewhere], 6, /most of \d+ .* were answered by something else/],
    [['quiet', '--yes'], 2, /no worker listens/],
    [['api', '--yes', '--url', 'ftp://x'], 2, /neither a URL/],
    [['api', '--yes', '--only', 'disk'], 2, /some of reload, worker, primary, daemon/],
  ];
  for (const [args, code, words] of refusals) {
    const ended = await run(['prove', ...args]);
    t.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
    t.match(ended.stderr.replace(/\s+/g, ' '), words);
  }
  t.equal(JSON.stringify((await list()).apps.map(({ workers: [{ pid }] }) => pid)), before);
});
