/** A real HAProxy asks the agent, with the backend that `export haproxy` writes. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startBalancer, askBalancer } from '../../../bench/machines/balancer.js';
import { app, testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { freePorts } from '../../support/ports.js';
import { until } from '../../support/until.js';

const haproxy = spawnSync('haproxy', ['-v']).status === 0;
const skip = haproxy ? false : 'haproxy is not installed';

t.test('HAProxy follows what the agent says', { skip }, async (t) => {
  const { root, ok, begin } = testHome(t);
  const [port, agentPort, front] = await freePorts(3);
  writeFileSync(
    `${root}/ecosystem.yml`,
    `name: shop
script: ${app('slow-20ms.mjs')}
instances: 2
env: {PORT: ${port}}
shutdown_delay: 2s
`,
  );
  await ok(['start']);
  const agent = begin(['agent', '--listen', `127.0.0.1:${agentPort}`]);
  t.teardown(() => agent.child.kill('SIGKILL'));
  await agent.said(/Answering/);
  const exported = await ok([
    ...['export', 'haproxy', '--servers', '127.0.0.1', '--agent-port', String(agentPort)],
  ]);
  const backend = exported.stdout.replace('agent-inter 2s', 'agent-inter 200ms');
  const balancer = await startBalancer(root, { backend, host: '127.0.0.1', port: front });
  t.teardown(() => balancer.stop());
  const serverIs = (wanted) =>
    until(async () => {
      const { machine1 } = await balancer.servers();
      return wanted.test(`${machine1.status} ${machine1.weight} ${machine1.agent}`) && machine1;
    }, `the server to be ${wanted}`);

  await serverIs(/^UP \d+ L7OK/);
  const load = startLoad({ port: front, clients: 4 });
  await load.answers(50);
  await ok(['reload', 'shop']);
  await load.answers(50);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
  const stopped = ok(['stop', 'shop']);
  await serverIs(/^UP 0 /);
  await stopped;
  await serverIs(/^DOWN \(agent\) 0 L7STS/);
  t.match(await ask(agentPort, 'shop\n'), /^stopped #shop is stopped\n/);

  await ok(['start', 'shop']);
  await serverIs(/^UP [1-9]\d* L7OK/);
  const maintained = 'set server shop/machine1 state maint';
  await askBalancer(`${root}/haproxy.sock`, maintained);
  await serverIs(/^MAINT/);
  await until(async () => /^up/.test(await ask(agentPort, '')), 'the agent to answer');
  await serverIs(/^MAINT/);
  await askBalancer(`${root}/haproxy.sock`, 'set server shop/machine1 state ready');
  await serverIs(/^UP/);

  const killing = ok(['kill']);
  await serverIs(/^UP 0 /);
  await killing;
  t.match(await ask(agentPort, 'shop\n'), /^\nthe state of the apps is not known/);
  t.equal(
    balancer
      .log()
      .split('\n')
      .filter((line) => /parsing|unknown|error/i.test(line)).length,
    0,
    balancer.log(),
  );
});

t.test('what strangers send to the agent', async (t) => {
  const { ok, begin } = testHome(t);
  const [port] = await freePorts(1);
  await ok(['start', app('http-pid.cjs'), '--name', 'api'], { env: { PORT: String(port) } });
  const agent = begin(['agent', '--listen', '127.0.0.1:0']);
  t.teardown(() => agent.child.kill('SIGKILL'));
  const [, digits] = await agent.said(/on 127\.0\.0\.1:(\d+)/);
  const rows = [
    ['api\n', /^up 100%\n/],
    ['api\r\n', /^up 100%\n/],
    ['', /^up 100%\n/],
    ['none\n', /^fail #there is no app none\n/],
    ['\u0007\n', /^up 100%\n/],
    ['x'.repeat(100_000), /^up 100%\n/],
  ];
  for (const [sent, expected] of rows) {
    t.match(await ask(Number(digits), sent), expected, JSON.stringify(sent.slice(0, 10)));
  }
  const held = Array.from({ length: 80 }, () =>
    connect({ port: Number(digits), host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {}),
  );
  t.teardown(() => held.forEach((socket) => socket.destroy()));
  await Promise.all(held.map((socket) => once(socket, 'connect')));
  t.match(await ask(Number(digits), 'api\n'), /^up 100%\n/, 'beside 80 that are held open');
  const { code, stderr } = await begin(['agent']).ended;
  t.equal(code, 2);
  t.match(stderr, /--listen 9500/);
});

/** @param {number} port @param {string} sent @returns {Promise<string>} all that the agent answers */
async function ask(port, sent) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(sent);
  return text(socket);
}
