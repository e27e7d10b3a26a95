/** What the page brings along is exactly what its packages published, with their licences. */
import t from 'tap';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const VENDOR = new URL('../../../../src/clients/web/page/vendor/', import.meta.url);

/** uPlot publishes its small file as a script; this line makes it a module. */
const AS_MODULE = 'export { uPlot as default };\n';

/** Each file, the file of a package that it is, what was added, and its SHA-256. */
const FILES = {
  'preact.js': {
    source: 'htm/preact/standalone',
    hash: '72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7',
  },
  'uplot.js': {
    source: 'uplot/dist/uPlot.iife.min.js',
    added: AS_MODULE,
    hash: 'f7d1022a40337f8b3e79673f6c0f2b54242d6f3020b3bc9c768158d8811b52b7',
  },
  'uplot.css': {
    source: 'uplot/dist/uPlot.min.css',
    hash: 'df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04',
  },
};

t.test('the files are those of the packages', async (t) => {
  for (const [name, { source, added = '', hash }] of Object.entries(FILES)) {
    const text = readFileSync(new URL(name, VENDOR), 'utf8');
    t.equal(createHash('sha256').update(text).digest('hex'), hash, name);
    const published = readFileSync(fileURLToPath(import.meta.resolve(source)), 'utf8');
    t.ok(text === published + added, source);
  }
});

t.test('each has its licence beside it, and nothing else is there', async (t) => {
  const names = readdirSync(VENDOR).filter((name) => !name.endsWith('.d.ts'));
  const licences = ['htm.licence.txt', 'preact.licence.txt', 'uplot.licence.txt'];
  t.same(names.sort(), [...Object.keys(FILES), ...licences].sort());
  for (const name of licences) {
    t.match(readFileSync(new URL(name, VENDOR), 'utf8'), /Licen[sc]e|Permission is hereby granted/);
  }
});
