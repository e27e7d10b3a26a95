/** Node's own tests, from Debian's source package, in a cache directory outside of the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const DOWNLOAD_MS = 180_000;
const PARTS = ['*/test/parallel', '*/test/common', '*/test/fixtures', '*/doc/api'];
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * @param {string} suite of Debian, by its code name
 * @returns {string} the directory that contains test/
 * @throws if the sources cannot be downloaded
 */
export function nodeTests(suite) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const tree = join(cache, 'nodecluster-conformance', suite);
  if (existsSync(tree)) return tree;
  const root = `${tree}.${process.pid}`;
  try {
    download(root, suite);
    if (!existsSync(tree)) renameSync(join(root, 'unpacked'), tree);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return tree;
}

/** apt gets directories of its own, so nothing of the system changes. @param {string} root @param {string} suite */
function download(root, suite) {
  for (const each of ['lists/partial', 'cache/archives/partial', 'unpacked']) {
    mkdirSync(join(root, each), { recursive: true });
  }
  const mirror = debianMirror();
  writeFileSync(join(root, 'sources'), `deb-src [signed-by=${KEYS}] ${mirror} ${suite} main\n`);
  const places = { 'Dir::Etc::SourceList': 'sources', 'Dir::State::Lists': 'lists' };
  const options = Object.entries({ ...places, 'Dir::Cache': 'cache' }).flatMap(([name, path]) => [
    '-o',
    `${name}=${join(root, path)}`,
  ]);
  const apt = [...options, '-o', 'Dir::Etc::SourceParts=-', '-o', 'APT::Sandbox::User=', '-qq'];
  execIn(root, 'apt-get', [...apt, 'update']);
  let failure;
  try {
    execIn(root, 'apt-get', [...apt, 'source', '--download-only', 'nodejs']);
  } catch (error) {
    failure = error;
  }
  // A mirror may lack Debian's own patches for a while; apt has verified each file that it leaves here.
  const archive = readdirSync(root).find((name) => /\.orig\.tar\.\w+$/.test(name));
  if (!archive) throw failure ?? new Error('the source package of nodejs has no .orig.tar');
  const into = ['-C', 'unpacked', '--strip-components=1', '--wildcards'];
  execIn(root, 'tar', ['xf', archive, ...into, ...PARTS]);
}

/** The mirror from which this machine gets Debian. */
function debianMirror() {
  const format = ['--no-release-info', '--format', '$(REPO_URI)', 'Created-By: Packages'];
  const mirrors = execIn('/', 'apt-get', ['indextargets', ...format]).split('\n');
  const mirror = mirrors.find((each) => /\/debian\/?$/.test(each));
  if (!mirror) throw new Error('apt knows no mirror of Debian');
  return mirror;
}

/** @param {string} cwd @param {string} file @param {string[]} args */
function execIn(cwd, file, args) {
  return execFileSync(file, args, {
    cwd,
    timeout: DOWNLOAD_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
}
