/** The page: its files, its state, and a command that it gives. */
import t from 'tap';
import { testHome } from '../support/home.js';
import { until } from '../support/until.js';
import { webClient } from '../support/web/client.js';

t.test('the page shows an app and reloads it', async (t) => {
  const home = testHome(t, { inProcess: true });
  await home.startApi(['--min-uptime', '100ms']);
  const serving = home.begin(['web', '--listen', '127.0.0.1:0']);
  t.teardown(() => serving.child.kill('SIGKILL'));
  const [link, port] = await serving.said(/^http:\/\/127\.0\.0\.1:(\d+)\/#token=\S+$/m);
  const client = webClient({ port: Number(port) });
  t.match(await client.ask('/'), { status: 200, body: /<script type="module"/ });
  t.match(await client.ask('/api/events'), { status: 401 });
  await client.signIn(link);
  const page = await client.stream('/api/events');
  const { state } = await page.next('snapshot');
  t.match(state.apps.api, { status: 'online', instances: 1, generation: 1 });
  const before = await home.pidsOf('api');
  const begun = await client.post('/api/actions', { action: 'reload', target: 'api' });
  t.equal(begun.status, 204);
  await until(
    async () => (await home.appNamed('api')).generation === 2 && !(await home.appNamed('api')).busy,
    'the reload to end',
  );
  t.notSame(await home.pidsOf('api'), before);
  page.close();
});
