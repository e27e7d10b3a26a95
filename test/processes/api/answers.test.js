/** What a running daemon replies has the declared types: no field is missing, and none comes undeclared. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'nodecluster';
import ts from 'typescript';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { typeErrors } from '../../support/package/type-check.js';
import { until } from '../../support/until.js';

delete process.env.NODE_OPTIONS;

const TYPES = 'App, DaemonStatus, Description, Environment, Event, LogRecord, Outcome, Plan, Sent';

async function collect(stream, items) {
  for await (const item of stream) items.push(item);
}

t.test('real answers', async (t) => {
  const { home, root, ok, run, startDaemon } = testHome(t);
  await startDaemon();
  const client = await connect({ home });
  t.teardown(() => client.close());
  const events = [];
  collect(client.events(), events).catch(() => {});
  const PORT = await freePort();
  const api = { name: 'api', script: app('talks.cjs'), instances: 2, env: { PORT } };
  const files = {
    'a.json': { apps: [api, { name: 'plain', script: './plain.sh' }] },
    'b.json': { apps: [{ ...api, script: './broken.js', env: { PORT, API_KEY: 'x' } }] },
    'plain.sh': 'echo to stdout; echo to stderr >&2; exec sleep 1000',
    'broken.js': "console.error('broken'); process.exit(3);",
    'crashes.js': "setTimeout(() => { throw new Error('crash') }, 50);",
  };
  writeFiles(root, files);
  const at = (name) => join(root, name);

  const outcomes = [await client.start(at('a.json'))];
  outcomes.push(await client.start(at('crashes.js'), { max_restarts: 1, min_uptime: 1 }));
  outcomes.push(await client.stop(1), await client.scale('api', '+1'));
  const plan = await client.plan(at('b.json'));
  const lists = [await client.list(), await client.list({ telemetry: true })];
  await until(() => events.some(({ type }) => type === 'worker.errored'), 'an errored worker');
  outcomes.push(await client.start(at('crashes.js'), { max_restarts: 2, min_uptime: 1 }));
  outcomes.push(await client.reload(at('b.json'), { onFailure: 'rollback' }));
  const sent = await client.send('api', 'hello');
  lists.push(await client.list());
  const described = await client.describe('all');
  const env = await client.env('api');
  await until(() => events.some(({ type }) => type === 'worker.event'), 'an event of the program');
  const shown = JSON.parse((await ok(['ls', '--json'])).stdout);
  const told = JSON.parse((await ok(['describe', 'all', '--json'])).stdout);
  const applied = JSON.parse((await run(['apply', at('a.json'), '--json'])).stdout);
  outcomes.push(
    await client.reset('all'),
    await client.flush('api'),
    await client.reloadLogs('api'),
  );
  outcomes.push(await client.restart('plain'), await client.delete('crashes'));
  const lines = [];
  await collect(client.logs('all', { follow: false }), lines);
  t.match(lines, [{ message: /./ }]);

  /** @type {[type: string, value: unknown][]} */
  const answers = [
    ['App[][]', lists],
    ['Outcome[][]', outcomes],
    ['Plan', plan],
    ['Sent[]', sent],
    ['Description[]', described],
    ['Environment[]', env],
    ['DaemonStatus', await client.ping()],
    ['Event[]', events],
    ['LogRecord[]', lines],
    [
      '{ daemon: { pid: number; version: string; node: string; startedAt: number }; apps: App[]; notes: string[] }',
      shown,
    ],
    ['{ apps: Description[] }', told],
    ['{ apps: Outcome[] } & Plan', applied],
  ];
  const constants = answers.map(
    ([type, value], index) =>
      `export const a${index}: ${type} = ${JSON.stringify(value, null, 1)};`,
  );
  // In this directory, the name of the package means the package itself.
  const file = join(t.testdir(), 'answers.mts');
  writeFileSync(file, [`import type { ${TYPES} } from 'nodecluster';`, ...constants].join('\n'));
  t.same(typeErrors([file], { module: ts.ModuleKind.NodeNext }), []);

  const wrong = `import type { App } from 'nodecluster';
    export const apps: App[] = ${JSON.stringify([{ ...lists[0][0], undeclared: 1 }])};`;
  writeFileSync(file, wrong);
  t.match(typeErrors([file], { module: ts.ModuleKind.NodeNext }), [/undeclared.* does not exist/]);
});
