/** What may be released, what an SBOM says, and that the workflows run what exists and checkers find nothing in them. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundledOnly } from '../../scripts/release/bundled-only.js';
import { versionFaults } from '../../scripts/release/version-faults.js';
import { ROOT, projectFiles, read } from '../support/sources.js';

const manifest = JSON.parse(read('package.json'));

t.test('this commit is a release, or the changelog says that nothing is released', async (t) => {
  const pages = { 'README.md': read('README.md') };
  const changelog = read('CHANGELOG.md');
  const [fault = 'Nothing'] = versionFaults({ manifest, changelog, pages });
  t.match(fault, /^Nothing/);
});

t.test('version, changelog, tag and README agree in a release', async (t) => {
  const released = {
    manifest: { version: '1.0.0' },
    changelog: '# Changelog\n\n## 1.0.0 (2027-01-31)\n\n## 0.9.0 (2026-12-31)\n',
    pages: { 'README.md': '# nodecluster', 'docs/guides/first-hour.md': '# The first hour' },
  };
  const faultsOf = (change) => versionFaults({ ...released, ...change });
  t.same(faultsOf({}), []);
  t.same(faultsOf({ tag: 'v1.0.0' }), []);
  const wrong = {
    'CHANGELOG.md says 1.1.0': { changelog: '## 1.1.0 (2027-01-31)' },
    'CHANGELOG.md begins with "1.1.0 (unreleased)"': { changelog: '## 1.1.0 (unreleased)' },
    'The first heading': { changelog: '## Next' },
    'The tag is v1.0.1': { tag: 'v1.0.1' },
    'README.md still says': { pages: { 'README.md': 'It is not on npm yet.' } },
    'Nothing is there': { manifest: { version: '1.0.0', '//': 'Nothing is there' } },
  };
  for (const [text, change] of Object.entries(wrong)) {
    const [fault = ''] = faultsOf(change);
    t.ok(fault.includes(text), text);
  }
});

/** An alert must lead to its paragraph from anywhere, so they have the address too. */
const RULES = ['docs/observability/rules.yml', 'test/fixtures/prometheus-rules.yml'];

t.test('no other file has the address of the repository, or it has the same', async (t) => {
  const address = manifest.homepage.replace(/#.*/, '');
  t.match(manifest, { repository: { url: `git+${address}.git` }, bugs: `${address}/issues` });
  const [, path] = address.split('://');
  const named = projectFiles().filter((file) => read(file).includes(path) && !RULES.includes(file));
  t.same(named, ['package.json', 'tap-snapshots/test/clients/startup/units.test.js.test.cjs']);
  for (const file of RULES) {
    const [, ...after] = read(file).split('runbook_url: ');
    t.ok(after.length > 0, file);
    t.ok(
      after.every((text) => text.startsWith(`${address}/blob/main/docs/observability/runbook.md#`)),
      file,
    );
  }
});

t.test('an SBOM names what the tarball contains, and no tool', async (t) => {
  const bundled = [
    { name: 'send', version: '1.2.1' },
    { name: 'ms', version: '2.1.3' },
  ];
  const component = (name, version) => ({ 'bom-ref': `${name}@${version}`, name, version });
  const cyclonedx = {
    bomFormat: 'CycloneDX',
    metadata: { component: component('nodecluster', '1.0.0') },
    components: [
      component('send', '1.2.1'),
      component('ms', '2.1.3'),
      component('ms', '2.0.0'),
      component('tap', '21.0.0'),
    ],
    dependencies: [
      { ref: 'nodecluster@1.0.0', dependsOn: ['send@1.2.1', 'tap@21.0.0'] },
      { ref: 'send@1.2.1', dependsOn: ['ms@2.1.3'] },
      { ref: 'ms@2.1.3', dependsOn: [] },
      { ref: 'tap@21.0.0', dependsOn: ['ms@2.0.0'] },
    ],
  };
  const { components, dependencies } = bundledOnly(cyclonedx, bundled);
  const found = components.map((each) => each['bom-ref']);
  t.strictSame(found, ['send@1.2.1', 'ms@2.1.3']);
  t.strictSame(dependencies, [
    { ref: 'nodecluster@1.0.0', dependsOn: ['send@1.2.1'] },
    { ref: 'send@1.2.1', dependsOn: ['ms@2.1.3'] },
    { ref: 'ms@2.1.3', dependsOn: [] },
  ]);

  const spdx = {
    documentDescribes: ['own'],
    packages: [
      { SPDXID: 'own', name: 'nodecluster', versionInfo: '1.0.0' },
      { SPDXID: 'send', name: 'send', versionInfo: '1.2.1' },
      { SPDXID: 'ms', name: 'ms', versionInfo: '2.1.3' },
      { SPDXID: 'tap', name: 'tap', versionInfo: '21.0.0' },
    ],
    relationships: [
      { spdxElementId: 'document', relatedSpdxElement: 'own' },
      { spdxElementId: 'send', relatedSpdxElement: 'own' },
      { spdxElementId: 'tap', relatedSpdxElement: 'own' },
    ],
  };
  const { packages, relationships } = bundledOnly(spdx, bundled);
  const names = packages.map(({ name }) => name);
  t.strictSame(names, ['nodecluster', 'send', 'ms']);
  t.equal(relationships.length, 2);

  for (const sbom of [cyclonedx, spdx]) {
    const missing = [...bundled, { name: 'depd', version: '2.0.0' }];
    t.throws(() => bundledOnly(sbom, missing), /2 of 3/);
  }
});

const workflows = projectFiles().filter((path) => path.startsWith('.github/workflows/'));
const RELEASE = '.github/workflows/release.yml';

/** By program: how it is called, and what it must find. */
const LINTERS = {
  'check-jsonschema': {
    args: ['--builtin-schema', 'vendor.github-workflows'],
    change: ['runs-on:', 'run-on:'],
    finds: /'run-on'/,
  },
  zizmor: {
    args: ['--offline', '--no-progress'],
    change: [/@[0-9a-f]{40}/, '@v6'],
    finds: /unpinned-uses/,
  },
};

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

t.test('each script that a workflow runs exists', async (t) => {
  const { scripts } = JSON.parse(read('package.json'));
  const text = workflows.map(read).join('\n');
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
  const started = [...text.matchAll(/(?:node |CI=true )([\w./-]+)/g)].map(([, path]) => path);
  t.ok(named.length > 5 && started.length > 2, `${named.join(' ')} ${started.join(' ')}`);
  const wrong = named.filter((name) => !(name in scripts));
  t.same(wrong, []);
  const found = started.filter((path) => !projectFiles().includes(path));
  t.same(found, []);
});

for (const [program, { args, change, finds }] of Object.entries(LINTERS)) {
  const isThere = spawnSync(program, ['--version']).status === 0;
  t.test(program, { skip: isThere ? false : `${program} is not installed` }, async (t) => {
    t.match(run(program, [...args, ...workflows]), { status: 0 });
    const [from, to] = change;
    const directory = t.testdir({ 'wrong.yml': read(RELEASE).replace(from, to) });
    const { status, output } = run(program, [...args, join(directory, 'wrong.yml')]);
    t.not(status, 0, 'it finds a fault');
    t.match(output, finds);
  });
}
