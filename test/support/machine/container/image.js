/** The image of packaging/container/Dockerfile, with nodecluster as it is published. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBase } from './base.js';
import { podman } from './podman.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const TARBALL = 'nodecluster.tgz';
const PACKAGE = JSON.stringify({ dependencies: { nodecluster: `file:../${TARBALL}` } });

/**
 * @param files of the program, by name
 * @returns the image's name
 */
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
