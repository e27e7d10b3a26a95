/** Node's own tests, from Debian's source package, in a cache directory outside of the repository. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const DOWNLOAD_MS = 180_000;
const APT = '/etc/apt';
const PARTS = ['*/test/parallel', '*/test/common', '*/test/fixtures', '*/doc/api'];

/** @returns {string} the directory that contains test/ @throws if the sources cannot be downloaded */
export function nodeTests() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const root = join(cache, 'nodecluster-conformance');
  const tree = join(root, 'tree');
  if (existsSync(tree)) return tree;
  for (const each of ['lists/partial', 'cache/archives/partial', 'unpacked']) {
    mkdirSync(join(root, each), { recursive: true });
  }
  writeFileSync(join(root, 'sources.list'), sourceEntry());
  const places = { 'Dir::Etc::sourcelist': 'sources.list', 'Dir::State::lists': 'lists' };
  const options = Object.entries({ ...places, 'Dir::Cache': 'cache' }).flatMap(([name, path]) => [
    '-o',
    `${name}=${join(root, path)}`,
  ]);
  const apt = [...options, '-o', 'Dir::Etc::sourceparts=-', '-o', 'APT::Sandbox::User='];
  execIn(root, 'apt-get', [...apt, '-qq', 'update']);
  execIn(root, 'apt-get', [...apt, '-qq', 'source', '--download-only', 'nodejs']);
  const archive = readdirSync(root).find((name) => /\.orig\.tar\.\w+$/.test(name));
  if (!archive) throw new Error('the source package of nodejs has no .orig.tar');
  const into = ['-C', 'unpacked', '--strip-components=1', '--wildcards'];
  execIn(root, 'tar', ['xf', archive, ...into, ...PARTS]);
  renameSync(join(root, 'unpacked'), tree);
  return tree;
}

/** @param {string} cwd @param {string} file @param {string[]} args */
function execIn(cwd, file, args) {
  execFileSync(file, args, { cwd, timeout: DOWNLOAD_MS, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The deb-src line for Debian's own mirror and suite in the sources of this machine. */
function sourceEntry() {
  const directory = join(APT, 'sources.list.d');
  const lists = existsSync(directory) ? readdirSync(directory) : [];
  const files = lists.filter((name) => /\.(list|sources)$/.test(name));
  const paths = [join(APT, 'sources.list'), ...files.map((name) => join(directory, name))];
  const text = paths.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
  const all = text.join('\n');
  const stanza = /^URIs:\s*(\S+\/debian\/?)(?:\s.*)?\nSuites:\s*(\S+)/m.exec(all);
  const line = /^deb\s+(?:\[.*?\]\s+)?(\S+\/debian\/?)\s+(\S+)/m.exec(all);
  const found = stanza ?? line;
  if (!found) throw new Error(`${APT} names no mirror of Debian`);
  const key = /^Signed-By:\s*(\S*debian-archive\S*)/m.exec(all)?.[1];
  return `deb-src ${key ? `[signed-by=${key}] ` : ''}${found[1]} ${found[2]} main\n`;
}
