/** A real nginx balances requests over four processes with their own ports, as docs/guides/nginx.md says. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { read } from '../../support/sources.js';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { pidsThatAnswer } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort, freePorts } from '../../support/ports.js';
import { plainEnv, spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

const nginx = spawnSync('nginx', ['-v']).status === 0;

t.test('four processes', { skip: nginx ? false : 'nginx is not installed' }, async (t) => {
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
    'nginx.conf': nginxConf(root, front, ports),
  });
  await ok(['start']);

  mkdirSync(`${root}/logs`);
  const proxy = spawnClean('nginx', ['-p', root, '-c', `${root}/nginx.conf`, '-e', 'stderr'], {
    env: plainEnv(root),
  });
  t.teardown(() => proxy.kill('SIGKILL'));
  let said = '';
  proxy.stderr?.on('data', (text) => (said += text));
  const pids = await until(() => pidsThatAnswer(front, 4), 'nginx to answer').catch((error) => {
    throw new Error(`${error.message}\n${said}`);
  });
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

/** The configuration of the page, with the ports of this test and nothing outside its folder. */
function nginxConf(root, front, ports) {
  const [, page] = /^```nginx\n# nginx.conf\n(.*?)^```/ms.exec(read('docs/guides/nginx.md')) ?? [];
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `  ${kind}_temp_path ${root}/${kind};`)
    .join('\n');
  const conf = ports
    .reduce((text, port, index) => text.replace(`:${8001 + index} `, `:${port} `), page)
    .replace('listen 8000;', `listen 127.0.0.1:${front};`)
    .replace('http {', `http {\n  access_log off;\n${paths}`);
  return `daemon off;\nmaster_process off;\npid ${root}/nginx.pid;\n${conf}`;
}
