/** A real nginx in front of `web`, with a path of its own, as docs/guides/web.md says. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { read } from '../../support/sources.js';
import { plainEnv, spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';
import { webClient } from '../../support/web/client.js';

const nginx = spawnSync('nginx', ['-v']).status === 0;

t.test('the page below a path', { skip: nginx ? false : 'nginx is not installed' }, async (t) => {
  const { root, ok, begin } = testHome(t);
  await ok(['start', app('http-pid.cjs'), '--name', 'api', '--set-env', 'PORT=0']);
  const [front, behind] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${front}/nodecluster/`;
  const serving = begin(['web', '--listen', String(behind), '--behind-proxy', url]);
  t.teardown(() => serving.child.kill('SIGKILL'));
  const [link] = await serving.said(/^http:\S+\/nodecluster\/#token=\S+$/m);

  mkdirSync(`${root}/logs`);
  writeFileSync(`${root}/nginx.conf`, nginxConf(root, front, behind));
  const proxy = spawnClean('nginx', ['-p', root, '-c', `${root}/nginx.conf`, '-e', 'stderr'], {
    env: plainEnv(root),
  });
  t.teardown(() => proxy.kill('SIGKILL'));

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

/** The location of the page, with the ports of this test and nothing outside its directory. */
function nginxConf(root, front, behind) {
  const [, location] = /```nginx\n([\s\S]*?)```/.exec(read('docs/guides/web.md')) ?? [];
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${root}/${kind};`,
  );
  return `daemon off;
master_process off;
pid ${root}/nginx.pid;
events {}
http {
  access_log off;
  ${places.join('\n  ')}
  server {
    listen 127.0.0.1:${front};
    ${String(location).replace('127.0.0.1:9477', `127.0.0.1:${behind}`)}
  }
}
`;
}
