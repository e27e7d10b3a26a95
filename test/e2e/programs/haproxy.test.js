/** A real HAProxy with the file of the guide on several machines: it asks the probes. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { startBalancer, askBalancer } from '../../support/balancer.js';
import { app, testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { freePorts } from '../../support/ports.js';
import { until } from '../../support/until.js';

const haproxy = spawnSync('haproxy', ['-v']).status === 0;
const skip = haproxy ? false : 'haproxy is not installed';

t.test('HAProxy follows what the probes say', { skip }, async (t) => {
  const { root, ok, begin } = testHome(t);
  const [port, probePort, front] = await freePorts(3);
  writeFileSync(
    `${root}/ecosystem.yml`,
    `name: shop
script: ${app('slow-20ms.mjs')}
instances: 2
env: {PORT: ${port}}
shutdown_delay: 4s
keep_alive_timeout: 70s
`,
  );
  await ok(['start']);
  const probes = begin(['metrics', '--listen', `127.0.0.1:${probePort}`]);
  t.teardown(() => probes.child.kill('SIGKILL'));
  await probes.said(new RegExp(`:${probePort}`));
  const balancer = await startBalancer(root, {
    listen: `127.0.0.1:${front}`,
    servers: [`127.0.0.1:${port}`],
    probePort,
  });
  t.teardown(() => balancer.stop());
  const serverIs = (wanted) =>
    until(async () => {
      const { machine1 } = await balancer.servers();
      return wanted.test(`${machine1.status} ${machine1.check}`) && machine1;
    }, `the server to be ${wanted}`);

  await serverIs(/^UP L7OK/);
  const load = startLoad(t, { port: front, clients: 4 });
  await load.answers(50);
  await ok(['reload', 'shop']);
  await load.answers(50);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
  const stopped = ok(['stop', 'shop']);
  await serverIs(/^DOWN L7STS/);
  t.equal((await fetch(`http://127.0.0.1:${port}`)).status, 200, 'it still serves');
  await stopped;

  await ok(['start', 'shop']);
  await serverIs(/^UP L7OK/);
  const maintained = 'set server shop/machine1 state maint';
  await askBalancer(`${root}/haproxy.sock`, maintained);
  await serverIs(/^MAINT/);
  await askBalancer(`${root}/haproxy.sock`, 'set server shop/machine1 state ready');
  await serverIs(/^UP/);

  const killing = ok(['kill']);
  await serverIs(/^DOWN/);
  await killing;
  const faults = balancer
    .log()
    .split('\n')
    .filter((line) => /parsing|unknown|error/i.test(line));
  t.same(faults, [], balancer.log());
});
