/** A base image of this machine's Node, npm and shell, so that nothing is pulled. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { podman } from './podman.js';

const PROGRAMS = ['sh', 'env', 'readlink', 'dirname', 'sleep'];
const CONTAINERFILE = `FROM scratch
COPY rootfs/ /
COPY nodecluster.tgz /
ENV PATH=/usr/local/bin:/usr/bin:/bin
`;

/**
 * @param directory with nodecluster.tgz, which comes into the image too
 * @returns the image's name
 */
export async function buildBase(directory) {
  const rootfs = join(directory, 'rootfs');
  /**
   * @param from a file or directory
   * @param to its place in the image
   */
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
