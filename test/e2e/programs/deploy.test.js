/** The scripts of docs/guides/deploy.md and several-machines.md, with git, npm and a stand-in for ssh. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readlinkSync, writeFileSync } from 'node:fs';
import { writeFiles } from '../../support/files.js';
import { BIN, testHome, watched } from '../../support/home.js';
import { answerOf } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { read } from '../../support/sources.js';
import { NODE, plainEnv, spawnClean } from '../../support/spawn-clean.js';

const IDENTITY = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];

t.test('a deploy, two that fail, and the way back', async (t) => {
  const { root, home } = testHome(t);
  const port = await freePort();
  const plain = plainEnv(root);
  const env = { ...plain, PATH: `${root}/bin:${plain.PATH}`, NODECLUSTER_HOME: home };
  const shell = async (...args) => {
    const { ended } = watched(spawnClean('sh', args, { cwd: root, env }), args.join(' '));
    return (await ended).code;
  };
  const deploy = (tag) => shell('deploy.sh', tag);
  const served = async () => (await answerOf({ port })).body;

  const [settings, single] = blocksOf('docs/guides/deploy.md', '## With a `current` link');
  const [all] = blocksOf('docs/guides/several-machines.md', '### Deploy to all machines');
  writeFiles(root, {
    'deploy.sh': single
      .replaceAll('/srv/api', root)
      .replace('git@example.com:api.git', `${root}/git`),
    'deploy-all.sh': all.replaceAll('/srv/shop', root).replace('web1 web2 web3', 'web1 web2'),
    'bin/nodecluster': `#!/bin/sh\nexec '${NODE}' '${BIN}' "$@"\n`,
    'bin/ssh': '#!/bin/sh\nexec sh -c "$2"\n',
    '.profile': `PATH='${env.PATH}'\n`,
  });
  for (const name of ['nodecluster', 'ssh']) chmodSync(`${root}/bin/${name}`, 0o755);
  const release = (tag, { build = 'cp -r src dist', program = serve(tag, port) } = {}) => {
    const manifest = { name: 'api', version: '1.0.0', scripts: { build } };
    const lock = { name: 'api', version: '1.0.0', lockfileVersion: 3, packages: { '': manifest } };
    writeFiles(`${root}/git`, {
      'src/server.js': program,
      'package.json': manifest,
      'package-lock.json': lock,
    });
    writeFileSync(`${root}/git/ecosystem.yml`, settings.replace('max', '2'));
    const git = (...args) => spawnSync('git', [...IDENTITY, ...args], { cwd: `${root}/git`, env });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', tag);
    t.equal(git('tag', '-f', tag).status, 0, tag);
  };

  release('v0', { program: 'throw new Error("no")' });
  t.equal(await deploy('v0'), 5, 'the first one of all fails');
  release('v1');
  t.equal(await deploy('v1'), 0);
  t.equal(await served(), 'v1');
  release('v2', { build: 'exit 3' });
  t.equal(await deploy('v2'), 3, 'a failed build');
  t.equal(readlinkSync(`${root}/current`), 'releases/v1');
  release('v2');
  t.equal(await deploy('v2'), 0, 'the same tag again');
  t.equal(await served(), 'v2');
  release('v3', { program: 'throw new Error("no")' });
  t.equal(await deploy('v3'), 5);
  t.equal(readlinkSync(`${root}/current`), 'releases/v2', 'what a boot starts');
  t.equal(await served(), 'v2');
  t.equal(await deploy('v1'), 0, 'the way back');
  t.equal(await served(), 'v1');

  for (const none of [[], ['']]) t.not(await shell('deploy.sh', ...none), 0, 'no tag');
  t.ok(existsSync(`${root}/releases/v1/dist`), 'removes nothing');

  t.equal(await shell('deploy-all.sh', 'v2', 'v1'), 0);
  t.equal(await served(), 'v2');
  t.equal(await shell('deploy-all.sh', 'v3', 'v2'), 1);
  t.equal(await served(), 'v2');
});

function blocksOf(page, heading) {
  const [, section] = read(page).split(`\n${heading}\n`);
  const [own] = section.split(/\n##+ /);
  return [...own.matchAll(/```\w+\n([^]*?)```/g)].map(([, text]) => text);
}

function serve(tag, port) {
  return `require('http').createServer((_, reply) => reply.end('${tag}')).listen(${port})`;
}
