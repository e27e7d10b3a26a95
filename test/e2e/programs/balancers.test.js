/** A real nginx before processes with their own ports and before `web`, and a real HAProxy, each with the file of its guide. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import t from 'tap';
import { askBalancer, startBalancer } from '../../support/balancer.js';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { pidsThatAnswer } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort, freePorts } from '../../support/ports.js';
import { read } from '../../support/sources.js';
import { plainEnv, spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';
import { webClient } from '../../support/web/client.js';

const without = (program) =>
  spawnSync(program, ['-v']).status !== 0 && `${program} is not installed`;
const skip = without('nginx');

/** @param conf how the part in `http` follows from what keeps it in the directory of the test */
function startNginx(t, root, conf) {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${root}/${kind};`,
  );
  const own = `daemon off;\nmaster_process off;\npid ${root}/nginx.pid;\n`;
  writeFiles(root, {
    'logs/.keep': '',
    'nginx.conf': own + conf(`access_log off;\n${places.join('\n')}`),
  });
  const proxy = spawnClean('nginx', ['-p', root, '-c', `${root}/nginx.conf`, '-e', 'stderr'], {
    env: plainEnv(root),
  });
  t.teardown(() => proxy.kill('SIGKILL'));
}

t.test('four processes', { skip }, async (t) => {
  const { root, ok, pidsOf } = testHome(t);
  const ports = await freePorts(4);
  const front = await freePort();
  writeFiles(root, {
    'ecosystem.yml': {
      name: 'four',
      script: app('http-pid.cjs'),
      exec_mode: 'fork',
      instances: 4,
      increment_var: 'PORT',
      env: { PORT: ports[0] },
    },
  });
  await ok(['start']);

  startNginx(t, root, (settings) => {
    const [, page] =
      /^```nginx\n# nginx.conf\n(.*?)^```/ms.exec(read('docs/guides/nginx.md')) ?? [];
    return ports
      .reduce((text, port, index) => text.replace(`:${8001 + index} `, `:${port} `), page)
      .replace('listen 8000;', `listen 127.0.0.1:${front};`)
      .replace('http {', `http {\n${settings}`);
  });
  const pids = await until(() => pidsThatAnswer(front, 4), 'nginx to answer');
  t.same(pids, await pidsOf('four'));

  const load = startLoad(t, { port: front, clients: 4 });
  await load.answers(50);
  await ok(['reload', 'four']);
  await load.answers(50);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
  t.same(await pidsThatAnswer(front, 4), await pidsOf('four'));
  t.notOk(
    (await pidsOf('four')).some((pid) => pids.includes(pid)),
    'all four are new',
  );
});

t.test('the page below a path', { skip }, async (t) => {
  const { root, ok, begin } = testHome(t);
  await ok(['start', app('http-pid.cjs'), '--name', 'api', '--set-env', 'PORT=0']);
  const [front, behind] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${front}/nodecluster/`;
  const serving = begin(['web', '--listen', String(behind), '--behind-proxy', url]);
  t.teardown(() => serving.child.kill('SIGKILL'));
  const [link] = await serving.said(/^http:\S+\/nodecluster\/#token=\S+$/m);

  startNginx(t, root, (settings) => {
    const [, location] = /```nginx\n([\s\S]*?)```/.exec(read('docs/guides/web.md')) ?? [];
    const own = location.replace('127.0.0.1:9477', `127.0.0.1:${behind}`);
    return `events {}\nhttp {\n${settings}\nserver {\nlisten 127.0.0.1:${front};\n${own}}\n}\n`;
  });
  const client = webClient({ port: front });
  const page = await until(() => client.ask('/nodecluster/'), 'nginx to answer');
  t.match(page, { status: 200, headers: { 'content-type': /^text\/html/ } });
  const { headers } = await client.signIn(link, '/nodecluster/');
  t.match(String(headers['set-cookie']), /; Path=\/nodecluster\/; HttpOnly; SameSite=Strict$/);
  const stream = await client.stream('/nodecluster/api/events');
  await stream.next('snapshot');
  const restart = { action: 'restart', target: 'api' };
  t.match(await client.post('/nodecluster/api/actions', restart), { status: 204 });
  t.match(await stream.next('outcome'), { ok: true });
  stream.close();
});

t.test('HAProxy follows what the probes say', { skip: without('haproxy') }, async (t) => {
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
