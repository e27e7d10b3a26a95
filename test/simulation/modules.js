/**
 * Each simulated process has its own instances of the modules of src, as a real one has: a timer, a queue or a cache that
 * a module keeps ends with its process, and no seed depends on those before it.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** Modules find their files as if they were not in a bundle. */
const ownUrls = {
  name: 'own urls',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: fs.readFileSync(path, 'utf8').replaceAll('import.meta.url', url) };
    }),
};

/** @returns makes new instances of these files and of all that they import, and returns their exports */
async function loader(...files) {
  const contents = files.map((file) => `export * from './${file}';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: SOURCES },
    ...{ bundle: true, format: 'cjs', platform: 'node', packages: 'external', write: false },
    plugins: [ownUrls],
  });
  const text = `(function (module) {${outputFiles[0].text}\nreturn module.exports;})`;
  return vm.runInThisContext(`(require) => ${text}`, { filename: files[0] })(require);
}

const load = {
  daemon: await loader('daemon/daemon.js', 'daemon/lock.js', 'daemon/run.js', 'shared/home.js'),
  primary: await loader('primary/daemon-link.js', 'primary/host.js', 'shared/home.js'),
  app: await loader('primary/pool/app.js', 'primary/reports.js'),
};

/** @param kind of a process */
export function modulesOf(kind) {
  return load[kind]({ exports: {} });
}
