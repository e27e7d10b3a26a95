/** Reloads a program under traffic: no request is lost, none is executed twice. */
import { join } from 'node:path';
import { app } from '../home.js';
import { freePort } from '../ports.js';
import { executions, startTraffic } from './traffic.js';

/**
 * @param home in which it stays until the end
 * @param options.program of test/fixtures/apps; it writes ids to the file in EXECUTED
 * @param options.flags of `start`
 */
export async function reloadUnderTraffic(t, home, { program, env = {}, flags = [], client }) {
  const { root, ok, pidsOf } = home;
  const port = await freePort();
  const name = `on-${port}`;
  const executed = join(root, name);
  const start = ['start', app(program), '-i', '2', '--name', name, '--min-uptime', '100'];
  await ok([...start, ...flags], { env: { PORT: String(port), EXECUTED: executed, ...env } });
  const { requests, close } = client(port);
  const traffic = startTraffic(requests);
  const before = await pidsOf(name);
  await traffic.answers(20);
  const { stderr } = await ok(['reload', name]);
  t.match(stderr, /2 workers replaced .* never fewer than 2 ready/);
  t.notMatch(stderr, /cut/);
  await traffic.answers(20);
  const { made, failures } = await traffic.stop();
  close();
  t.same(failures, [], `of ${made} requests`);
  t.same(executions(executed), { count: made, twice: [] });
  t.notOk(
    (await pidsOf(name)).some((pid) => before.includes(pid)),
    'both are new',
  );
}
