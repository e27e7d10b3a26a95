/** The types of the packed package, for every kind of program that can use it. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { installPacked } from '../../support/package/packed.js';
import { typeErrors } from '../../support/package/type-check.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const { ModuleKind, ModuleResolutionKind } = ts;
const MODES = {
  node10: { module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Node10 },
  node16: { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
};

const directory = temporaryDirectory(t);
installPacked(directory);
cpSync(fileURLToPath(new URL('../../fixtures/types', import.meta.url)), directory, {
  recursive: true,
});

for (const [name, mode] of Object.entries(MODES)) {
  t.test(`with the module resolution ${name}`, async (t) => {
    const programs = name === 'node10' ? [] : ['module.mts', 'settings.mts'];
    // A bundler has no `import … = require()`.
    if (name !== 'bundler') programs.push('require.cts');
    const files = programs.map((file) => join(directory, file));
    t.same(typeErrors(files, mode), []);
  });
}

t.test('import and require give the same', async (t) => {
  writeFileSync(
    join(directory, 'both.mjs'),
    `import { createRequire } from 'node:module';
    import { connect, NodeclusterError } from 'nodecluster';
    const required = createRequire(import.meta.url)('nodecluster');
    console.log(required.connect === connect, required.NodeclusterError === NodeclusterError);`,
  );
  if (!process.features.require_module) return t.skip('this Node cannot require an ES module');
  const printed = execFileSync(process.execPath, ['both.mjs'], {
    cwd: directory,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  t.equal(printed.trim(), 'true true');
});
