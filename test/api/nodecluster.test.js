/** The programmatic interface, on a real home. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { connect, NodeclusterError } from 'nodecluster';
import { app, testHome } from '../support/home.js';
import { ask } from '../support/http-ask.js';
import { freePort } from '../support/ports.js';
import { within } from '../support/until.js';

// An app starts with the environment of this process: not with the preload of tap.
delete process.env.NODE_OPTIONS;

/** @param {number} [instances] */
async function settingsOf(instances = 1) {
  const PORT = await freePort();
  return { script: app('talks.cjs'), name: 'api', instances, env: { PORT } };
}

/** @param {AsyncIterable<any>} events @param {(event: any) => boolean} isIt */
function first(events, isIt) {
  const look = async () => {
    for (let next; !(next = await events.next()).done;) if (isIt(next.value)) return next.value;
    throw new Error('the events ended');
  };
  return within(look(), `an event: ${isIt}`);
}

/** @param {AsyncIterator<any>} events */
async function last(events) {
  let next = await events.next();
  while (!next.done) next = await events.next();
  return next;
}

t.test('the life of an app, and what is told of it', async (t) => {
  const { home, startDaemon } = testHome(t);
  await startDaemon();
  const client = await connect({ home });
  t.teardown(() => client.close());
  t.same(await client.list(), []);
  const events = client.events();
  const settings = await settingsOf(2);
  t.match(await client.start(settings), [{ name: 'api', action: 'start', ok: true, done: [0, 1] }]);
  t.match(await first(events, ({ type }) => type === 'start.ended'), { app: 'api', ok: true });
  t.match(await client.list(), [{ name: 'api', status: 'online', workers: [{}, {}] }]);
  t.ok('heapUsed' in (await client.list({ telemetry: true }))[0].workers[0]);

  t.match(await client.send('api:1', { hello: [1] }), [{ name: 'api', sent: [1], failed: [] }]);
  t.match(await first(events, ({ type }) => type === 'worker.event'), {
    ...{ app: 'api', slot: 1, id: 1, name: 'heard', data: { hello: [1] } },
  });

  t.match(await client.reload('api'), [{ ok: true, done: [0, 1] }]);
  const reloaded = await first(events, ({ type }) => type === 'reload.ended');
  t.match(reloaded, { ok: true, done: [0, 1], durationMs: Number });
  t.match(await client.scale('api', '+1'), [{ ok: true, done: [2] }]);
  const { pid } = await ask(settings.env.PORT);
  process.kill(pid, 'SIGKILL');
  t.match(await first(events, ({ type }) => type === 'worker.exited'), {
    ...{ pid, code: null, signal: 'SIGKILL', reason: String, lastLines: [] },
  });
  client.close();
  t.match(await last(events), { done: true });
});

t.test('stopped, started again, changed by a file, forgotten', async (t) => {
  const { home, root, startDaemon } = testHome(t);
  await startDaemon();
  const client = await connect({ home });
  t.teardown(() => client.close());
  const settings = await settingsOf();
  await client.start(settings);
  t.match(await client.restart(['api:0']), [{ ok: true, done: [0] }]);
  t.match(await client.stop('api'), [{ ok: true }]);
  t.match(await client.start('api'), [{ action: 'resume', ok: true }]);
  const file = join(root, 'ecosystem.json');
  writeFileSync(file, JSON.stringify({ apps: [{ ...settings, instances: 2 }] }));
  t.match(await client.reload(file), [{ name: 'api', ok: true }]);
  t.match(await client.list(), [{ instances: 2 }]);
  t.match(await client.delete('api'), [{ ok: true }]);
  t.same(await client.list(), []);
});

t.test('what is refused', async (t) => {
  const { home } = testHome(t);
  await t.rejects(connect({ home, start: false }), { code: 'E_DAEMON_NOT_RUNNING' });
  const client = await connect({ home });
  t.teardown(() => client.close());
  await t.rejects(client.stop('nobody'), { code: 'E_APP_UNKNOWN', exitCode: 4 });
  await t.rejects(client.start({ script: '/nowhere.js' }), { code: 'E_CONFIG_INVALID' });
  await t.rejects(client.send('all', { cmd: 'NODE_X' }), { code: 'E_MESSAGE' });
  const error = await client
    .events({ selectors: 'nobody' })
    .next()
    .catch((thrown) => thrown);
  t.ok(error instanceof NodeclusterError);
  t.equal(error.code, 'E_APP_UNKNOWN');
});

t.test('a home may be named from where the program runs', async (t) => {
  const { home, ok } = testHome(t);
  const client = await connect({ home: relative(process.cwd(), home) });
  t.teardown(() => client.close());
  const { daemon } = JSON.parse((await ok(['ls', '--json'])).stdout);
  t.match(daemon, { pid: Number }, 'it is that of the absolute path');
});

t.test('events of one app, until the loop is left', async (t) => {
  const { home, startDaemon } = testHome(t);
  await startDaemon();
  const client = await connect({ home });
  t.teardown(() => client.close());
  await client.start(await settingsOf());
  await client.start({ ...(await settingsOf()), name: 'other' });
  const events = client.events({ selectors: ['other'] });
  await client.reload('all');
  for await (const event of events) {
    t.equal(event.app, 'other');
    if (event.type === 'reload.ended') break;
  }
  t.match(await events.next(), { done: true });
});

t.test('who loses the daemon is told', async (t) => {
  const { home, ok } = testHome(t);
  const client = await connect({ home });
  const events = client.events();
  await client.list();
  await ok(['kill']);
  await t.rejects(within(events.next(), 'the end'), { code: 'E_PROTOCOL_CLOSED' });
  await t.rejects(client.list(), { code: 'E_PROTOCOL_CLOSED' });
});
