/** What is published is the same whoever builds it, no bigger than expected, and has types for every kind of program. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { pack } from '../../support/package/packed.js';
import { ROOT } from '../../support/sources.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** kB to which sizes are rounded up, so that few changes of the sources change the snapshot. */
const STEP = 50;

const directory = temporaryDirectory(t);
const [first, second] = ['first', 'in/another/place'].map((name) => {
  const place = join(directory, name);
  mkdirSync(place, { recursive: true });
  return pack(place);
});

t.test('two builds give the same tarball, byte for byte', async (t) => {
  t.ok(readFileSync(first.tarball).equals(readFileSync(second.tarball)));
});

t.test('number of files and unpacked size', async (t) => {
  /** sizes by directory */
  const places = {};
  for (const { path, size } of first.files) (places[placeOf(path)] ??= []).push(size);
  const rows = Object.keys(places)
    .sort()
    .map((place) => rowOf(place, places[place]));
  const total = rowOf(
    'all',
    first.files.map(({ size }) => size),
  );
  t.matchSnapshot([...rows, total].join('\n'), 'npx tap --snapshot accepts what has grown');
});

t.test('only what a user needs, without a directory of the machine that built it', async (t) => {
  const paths = first.files.map(({ path }) => path);
  const others = paths.filter((path) => !/^(bin|docs|man|packaging|src)\/|^[^/]+$/.test(path));
  t.same(others, []);
  for (const path of paths.filter((each) => /^(bin|src)\/.*\.c?js$/.test(each))) {
    t.notOk(readFileSync(join(directory, 'first/built', path), 'utf8').includes(ROOT), path);
  }
});

t.test('one package: npm installs no other and runs no script', async (t) => {
  const manifest = JSON.parse(readFileSync(join(directory, 'first/built/package.json'), 'utf8'));
  const keys = Object.keys(manifest).filter((key) => /scripts|dependencies|private/i.test(key));
  t.same(keys, []);
});

t.test('what the page loads is in it, with the licences', async (t) => {
  const published = first.files.map(({ path }) => path);
  for (const name of ['index.html', 'bundle.css', 'bundle.js']) {
    t.ok(published.includes(`src/clients/web/page/${name}`), name);
  }
  const licences = readFileSync(join(directory, 'first/built/THIRD-PARTY-LICENCES.md'), 'utf8');
  for (const name of ['htm', 'preact']) t.match(licences, `\n## ${name} `);
});

const { ModuleKind, ModuleResolutionKind } = ts;
const MODES = {
  node10: { module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Node10 },
  node16: { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
};

/** A project that has it installed. */
const project = join(directory, 'project');
const target = join(project, 'node_modules/nodecluster');
mkdirSync(target, { recursive: true });
execFileSync('tar', ['-xzf', first.tarball, '-C', target, '--strip-components=1']);
cpSync(fileURLToPath(new URL('../../fixtures/types', import.meta.url)), project, {
  recursive: true,
});

for (const [name, mode] of Object.entries(MODES)) {
  t.test(`with the module resolution ${name}`, async (t) => {
    const programs = name === 'node10' ? [] : ['module.mts', 'settings.mts'];
    // A bundler has no `import … = require()`.
    if (name !== 'bundler') programs.push('require.cts');
    const files = programs.map((file) => join(project, file));
    t.same(typeErrors(files, mode), []);
  });
}

t.test('import and require give the same', async (t) => {
  writeFileSync(
    join(project, 'both.mjs'),
    `import { createRequire } from 'node:module';
    import { connect, NodeclusterError } from 'nodecluster';
    const required = createRequire(import.meta.url)('nodecluster');
    console.log(required.connect === connect, required.NodeclusterError === NodeclusterError);`,
  );
  if (!process.features.require_module) return t.skip('this Node cannot require an ES module');
  const printed = execFileSync(process.execPath, ['both.mjs'], {
    cwd: project,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  t.equal(printed.trim(), 'true true');
});

function placeOf(path) {
  const [, place = 'beside them'] = /^(src\/[^/]+|[^/]+)\//.exec(path) ?? [];
  return place;
}

function rowOf(place, sizes) {
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  return `${place}: ${sizes.length} files, up to ${Math.ceil(kilobytes / STEP) * STEP} kB`;
}

function typeErrors(files, options) {
  const all = {
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    types: [],
    skipDefaultLibCheck: true,
    ...options,
  };
  const program = ts.createProgram(files, all, hostOf(all));
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const { line } = file?.getLineAndCharacterOfPosition(start ?? 0) ?? { line: 0 };
    const text = ts.flattenDiagnosticMessageText(messageText, '\n');
    return `${file?.fileName}:${line + 1}: ${text}`;
  });
}

/** The compiler's own files, read once. */
const libraries = new Map();

function hostOf(options) {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    if (!/\/lib\.[^/]*\.d\.ts$/.test(name)) return getSourceFile(name, ...rest);
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, ...rest));
    return libraries.get(name);
  };
  return host;
}
