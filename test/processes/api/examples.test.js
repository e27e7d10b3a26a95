/** The programs in docs/reference/api.md, each as it is written there. */
import t from 'tap';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { writeFiles } from '../../support/files.js';
import { NODE, testHome } from '../../support/home.js';
import { ROOT, read } from '../../support/sources.js';
import { plainEnv, spawnClean } from '../../support/spawn-clean.js';
import { within } from '../../support/until.js';

const blocks = [...read('docs/reference/api.md').matchAll(/^```(js|cjs|ts)\n(.*?)^```$/gms)].map(
  ([, language, code]) => ({ language, code }),
);
const isProgram = ({ code }) => /\bconnect\b/.test(code);
/** What the page shows of a program that nodecluster runs. */
const parts = blocks.filter((block) => !isProgram(block)).map(({ code }) => code);
const SERVER = `
const reloadCache = () => console.log('the cache is reloaded');
${parts.join('\n')}
require('node:http').createServer((_, response) => response.end()).listen(0);
`;

t.test('each program of docs/reference/api.md runs', async (t) => {
  const { home, root, startDaemon } = testHome(t);
  await startDaemon();
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(ROOT, join(root, 'node_modules', 'nodecluster'));
  writeFiles(root, {
    'server.js': SERVER,
    'ecosystem.yml': {
      apps: [{ name: 'api', script: './server.js', instances: 2, env_production: { A: 1 } }],
    },
  });
  const env = { ...plainEnv(root), NODECLUSTER_HOME: home };
  const programs = blocks.filter(isProgram);
  t.ok(programs.length > 5);
  for (const [index, { language, code }] of programs.entries()) {
    if (language === 'cjs' && !process.features.require_module) continue;
    const file = `${index}.${language === 'cjs' ? 'cjs' : 'mjs'}`;
    writeFiles(root, { [file]: language === 'ts' ? withoutTypes(code) : code });
    const { exitCode, output } = await runProgram(file, { cwd: root, env });
    t.equal(exitCode, 0, `${code}\n${output}`);
    t.not(output, '', 'it prints something');
  }
});

function withoutTypes(code) {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

async function runProgram(file, options) {
  const child = spawnClean(NODE, [file], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const closed = new Promise((resolve) => child.once('close', resolve));
  return { exitCode: await within(closed, `the end of ${file}`, 60_000), output };
}
