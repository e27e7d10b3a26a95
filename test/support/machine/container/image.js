/** The image of packaging/container/Dockerfile, with nodecluster as it is published. */
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../sources.js';

const PROGRAMS = ['sh', 'env', 'readlink', 'dirname', 'sleep'];
const CONTAINERFILE = `FROM scratch
COPY rootfs/ /
COPY nodecluster.tgz /
ENV PATH=/usr/local/bin:/usr/bin:/bin
`;
const TARBALL = 'nodecluster.tgz';
const PACKAGE = JSON.stringify({ dependencies: { nodecluster: `file:../${TARBALL}` } });

export async function buildImage(directory, files) {
  const context = join(directory, 'app');
  mkdirSync(context);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(context, name), text);
  writeFileSync(join(context, 'package.json'), PACKAGE);
  for (const name of ['Dockerfile', '.dockerignore']) {
    copyFileSync(join(ROOT, 'packaging/container', name), join(context, name));
  }
  const built = join(directory, 'built');
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.js'), built]);
  const [{ filename }] = JSON.parse(npm(['pack', '--json', built], directory));
  renameSync(join(directory, filename), join(directory, TARBALL));
  npm(['install', '--package-lock-only'], context);
  const base = await buildBase(directory);
  await podman(['build', '--build-arg', `BASE=${base}`, '--tag', 'nodecluster-bench', context]);
  return 'localhost/nodecluster-bench';
}

function npm(args, cwd) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Of this machine's Node, npm and shell, so that nothing is pulled. */
async function buildBase(directory) {
  const rootfs = join(directory, 'rootfs');
  const copy = (from, to = from) => {
    mkdirSync(dirname(join(rootfs, to)), { recursive: true });
    cpSync(realpathSync(from), join(rootfs, to), { recursive: true, verbatimSymlinks: true });
  };
  for (const name of PROGRAMS) {
    const program = execFileSync('which', [name], { encoding: 'utf8' }).trim();
    copy(program, join('/usr/bin', name));
    for (const library of librariesOf(program)) copy(library);
  }
  copy('/usr/bin/env');
  copy('/bin/sh');
  for (const library of librariesOf(process.execPath)) copy(library);
  copy(process.execPath, '/usr/local/bin/node');
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  copy(join(npm, 'npm'), '/usr/local/lib/node_modules/npm');
  writeFileSync(
    join(rootfs, 'usr/local/bin/npm'),
    '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
    { mode: 0o755 },
  );
  mkdirSync(join(rootfs, 'tmp'), { mode: 0o1777 });
  writeFileSync(join(directory, 'Containerfile'), CONTAINERFILE);
  await podman(['build', '--tag', 'nodecluster-bench-base', directory]);
  return 'localhost/nodecluster-bench-base';
}

function librariesOf(program) {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);
}

export async function podman(args) {
  const { stdout } = await promisify(execFile)('podman', args, { maxBuffer: 2 ** 26 });
  return stdout.trim();
}
