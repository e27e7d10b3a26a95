/**
 * `npm run build [-- <directory>]` makes the package that is published, by default in dist/. Each file that is started or
 * imported from outside keeps its path and contains the modules and packages that it imports, as one CommonJS
 * file: Node loads that several times faster than a hundred ES modules (docs/decisions/loading-and-memory.md).
 * A checkout runs from its sources and needs no build.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundlePage } from './bundle-page.js';
import { licencesOf } from './licences.js';
import { manPages } from './man-pages.js';

/** @import { Plugin } from 'esbuild' */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** What a process is started with, or a program or another of these imports. */
const ENTRIES = [
  'bin/nodecluster.js',
  'src/agent/fork.cjs',
  'src/api/launch-daemon.js',
  'src/api/nodecluster.js',
  'src/cli/program.js',
  'src/cli/render/ls.js',
  'src/features/run/daemon/run-apps.js',
  'src/daemon/run.js',
  'src/daemon/users/receive-sockets.js',
  'src/errors/error.js',
  ...mainFiles(),
];
/** What every command loads; what it loads later is in a second file, and all commands but two are in a third. */
const COMMAND = 'src/cli/main.js';
const TABLE = path.join(ROOT, 'src/cli/commands.js');
const LATER = 'src/cli/later.js';
const LATER_COMMANDS = 'src/cli/later-commands.js';
/** npm publishes them too. */
const ALWAYS = ['LICENSE', 'README.md'];
/** Of an ES module. */
const OWN_REQUIRE = 'const require = createRequire(import.meta.url);';
const LICENCES = 'THIRD-PARTY-LICENCES.md';
/** Of package.json, what only the project needs. */
const NOT_PUBLISHED = [
  '//',
  'private',
  'scripts',
  'dependencies',
  'devDependencies',
  'overrides',
  'tap',
];

const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const target = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist'));

fs.rmSync(target, { recursive: true, force: true });
/** Modules by the file that has them. @type {Record<string, Set<string>>} */
const loadedLater = { [LATER_COMMANDS]: new Set(), [LATER]: new Set() };
const bundled = new Set((await Promise.all(ENTRIES.map((entry) => bundle(entry)))).flat());
for (const [file, modules] of Object.entries(loadedLater)) {
  for (const each of await bundle(file, contentsOfLater(modules))) bundled.add(each);
}
const page = bundlePage();
for (const each of page.inputs) bundled.add(each);
for (const file of [...manifest.files, ...ALWAYS].flatMap(filesIn)) {
  if (!bundled.has(file)) copy(file);
}
for (const [name, contents] of page.files) {
  fs.writeFileSync(path.join(target, 'src/clients/web/page', name), contents);
}
const man = Object.entries(await manPages());
fs.mkdirSync(path.join(target, 'man'));
for (const [name, text] of man) fs.writeFileSync(path.join(target, 'man', name), text);
fs.writeFileSync(path.join(target, 'package.json'), JSON.stringify(publishedManifest(), null, 2));
fs.writeFileSync(path.join(target, LICENCES), licencesOf(ROOT, [...bundled]));

/** @param {string} file relative to the project */
function copy(file) {
  fs.mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
  fs.copyFileSync(path.join(ROOT, file), path.join(target, file));
}

/**
 * @param {string} entry
 * @param {string} [contents] of a file that is no source
 * @returns {Promise<string[]>} the files that it contains now
 */
async function bundle(entry, contents) {
  const { metafile, warnings } = await build({
    absWorkingDir: ROOT,
    ...(contents ? { stdin: { contents, resolveDir: ROOT } } : { entryPoints: [entry] }),
    outfile: path.join(target, entry),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${manifest.engines.node.replace(/^\D+/, '')}`,
    banner: { js: urlFunction(entry) },
    // ES modules are inside, so no version of Node has to load them.
    define: { 'process.features.require_module': 'true' },
    // Less memory in each process. Names stay, so that errors can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    plugins: [ownSources(), otherEntries(entry), laterParts(entry)],
    metafile: true,
  });
  if (warnings.length > 0) throw new Error(`${entry} cannot be bundled as it is`);
  return Object.keys(metafile.inputs);
}

/** @param {string} entry @returns {string} what ownSources uses */
function urlFunction(entry) {
  const root = path.relative(path.dirname(entry), '');
  return `'use strict';
const urlOf = (file) =>
  require('node:url').pathToFileURL(require('node:path').join(__dirname, '${root}', file)).href;`;
}

/** Each module computes paths from where its source is, and requires packages as a CommonJS module does. @returns {Plugin} */
function ownSources() {
  return {
    name: 'own sources',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path: file }) => {
        if (file.includes('/node_modules/')) return null;
        const url = `urlOf('${path.relative(ROOT, file)}')`;
        const source = fs.readFileSync(file, 'utf8').replace(OWN_REQUIRE, '');
        return { contents: source.replaceAll('import.meta.url', url) };
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

/**
 * Node parses all of a file before it runs, so the file of every command has nothing that few need, and no file of a
 * command but one has the packages for colours and for text beyond ASCII.
 * @param {string} entry
 * @returns {Plugin}
 */
function laterParts(entry) {
  const namespace = 'later';
  const inCommand = entry.startsWith('src/cli/') && entry !== LATER;
  /** @type {Map<string, string>} */
  const places = new Map();
  return {
    name: 'later parts',
    setup({ onLoad, onResolve }) {
      onResolve(
        { filter: /^[^:]*$/, namespace: 'file' },
        ({ kind, path: to, resolveDir, importer }) => {
          const isDynamic = kind === 'dynamic-import' && (entry === COMMAND || importer === TABLE);
          const isOfFew =
            inCommand && kind === 'require-call' && importer.endsWith('/es-packages.js');
          if (!isDynamic && !isOfFew) return null;
          const isOwn = to.startsWith('.');
          const file = isOwn ? `./${path.relative(ROOT, path.resolve(resolveDir, to))}` : to;
          const place = importer === TABLE ? LATER_COMMANDS : LATER;
          loadedLater[place].add(file);
          places.set(file, place);
          return { path: file, namespace };
        },
      );
      onLoad({ filter: /./, namespace }, ({ path: file }) => {
        const later = `./${path.relative(path.dirname(entry), String(places.get(file)))}`;
        return {
          contents: `module.exports = require(${JSON.stringify(later)})[${JSON.stringify(file)}]()`,
        };
      });
      onResolve({ filter: /./, namespace }, ({ path: to }) => ({ path: to, external: true }));
    },
  };
}

/** @param {Set<string>} modules */
function contentsOfLater(modules) {
  const names = [...modules].sort().map((file) => JSON.stringify(file));
  return `module.exports = {${names.map((name) => `${name}: () => require(${name})`).join(',')}}`;
}

/** @returns {string[]} what is a process */
function mainFiles() {
  return filesIn('src').filter((file) => /^main\.c?js$/.test(path.basename(file)));
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
  return {
    ...Object.fromEntries(published),
    type: 'commonjs',
    files: [...manifest.files, 'man', LICENCES],
    man: man.map(([name]) => `./man/${name}`),
  };
}
