/**
 * `npm run build [-- <directory>]` makes the package that is published, by default in dist/. Each file that is started or
 * imported from outside keeps its path and contains the modules that it imports, as one CommonJS file: Node
 * loads that several times faster than a hundred ES modules (docs/decisions/0036-what-a-command-loads.md).
 * A checkout runs from its sources and needs no build.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** @import { Plugin } from 'esbuild' */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** What a process is started with, or a program or another of these imports. */
const ENTRIES = [
  'bin/nodecluster.js',
  'src/agent/fork.cjs',
  'src/api/nodecluster.js',
  'src/daemon/foreground/run-apps.js',
  'src/daemon/run.js',
  'src/daemon/users/empty-logs.js',
  'src/daemon/users/receive-sockets.js',
  ...mainFiles(),
];
/** npm publishes them too. */
const ALWAYS = ['LICENSE', 'README.md'];
/** Of package.json, what only the project needs. */
const NOT_PUBLISHED = ['private', 'scripts', 'devDependencies', 'overrides', 'tap'];

const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const target = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist'));

fs.rmSync(target, { recursive: true, force: true });
const bundled = new Set((await Promise.all(ENTRIES.map(bundle))).flat());
for (const file of [...manifest.files, ...ALWAYS].flatMap(filesIn)) {
  if (bundled.has(file)) continue;
  fs.mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
  fs.copyFileSync(path.join(ROOT, file), path.join(target, file));
}
fs.writeFileSync(path.join(target, 'package.json'), JSON.stringify(publishedManifest(), null, 2));

/**
 * @param {string} entry
 * @returns {Promise<string[]>} the files that it contains now
 */
async function bundle(entry) {
  const { metafile, warnings } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: path.join(target, entry),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: `node${manifest.engines.node.replace(/^\D+/, '')}`,
    banner: { js: urlFunction(entry) },
    // Less memory in each process. Names stay, so that errors can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    plugins: [ownUrls(), otherEntries(entry)],
    metafile: true,
  });
  if (warnings.length > 0) throw new Error(`${entry} cannot be bundled as it is`);
  return Object.keys(metafile.inputs);
}

/** @param {string} entry @returns {string} what ownUrls uses */
function urlFunction(entry) {
  const root = path.relative(path.dirname(entry), '');
  return `'use strict';
const urlOf = (file) =>
  require('node:url').pathToFileURL(require('node:path').join(__dirname, '${root}', file)).href;`;
}

/** Each module computes paths from where its source is. @returns {Plugin} */
function ownUrls() {
  return {
    name: 'own URLs',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path: file }) => {
        const url = `urlOf('${path.relative(ROOT, file)}')`;
        return { contents: fs.readFileSync(file, 'utf8').replaceAll('import.meta.url', url) };
      });
    },
  };
}

/**
 * What is a file of its own is not contained in another. It is loaded by require(), since the first import() of a
 * process takes Node some milliseconds.
 * @param {string} entry
 * @returns {Plugin}
 */
function otherEntries(entry) {
  const namespace = 'entry';
  return {
    name: 'other entries',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\./, namespace: 'file' }, ({ path: to, resolveDir }) => {
        const file = path.relative(ROOT, path.resolve(resolveDir, to));
        return ENTRIES.includes(file) && file !== entry ? { path: file, namespace } : null;
      });
      onLoad({ filter: /./, namespace }, ({ path: file }) => {
        const specifier = JSON.stringify(`./${path.relative(path.dirname(entry), file)}`);
        return { contents: `module.exports = require(${specifier})` };
      });
      onResolve({ filter: /./, namespace }, ({ path: to }) => ({ path: to, external: true }));
    },
  };
}

/** @returns {string[]} of the rooms that are a process */
function mainFiles() {
  const rooms = fs.readdirSync(path.join(ROOT, 'src'));
  const files = rooms.flatMap((room) => [`src/${room}/main.js`, `src/${room}/main.cjs`]);
  return files.filter((file) => fs.existsSync(path.join(ROOT, file)));
}

/** @param {string} place @returns {string[]} the files there, relative to the project */
function filesIn(place) {
  const from = path.join(ROOT, place);
  if (!fs.statSync(from).isDirectory()) return [place];
  const entries = fs.readdirSync(from, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile())
    .map((each) => path.relative(ROOT, path.join(each.parentPath, each.name)));
}

function publishedManifest() {
  const published = Object.entries(manifest).filter(([key]) => !NOT_PUBLISHED.includes(key));
  return { ...Object.fromEntries(published), type: 'commonjs' };
}
