/**
 * The manifests, and the files to copy of the guides, as those who read them judge them: kubernetes-validate with every
 * version of Kubernetes that it knows, PyYAML, the schema of the Compose specification, and systemd-analyze. Each is
 * skipped where its program is not installed.
 */
import t from 'tap';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { writeYaml } from '../../../src/api/write-ecosystem.js';
import { Random } from '../../simulation/random.js';
import { listening } from '../../support/listening.js';
import { blockOf } from '../../support/pages.js';
import { exportOf, shopApp, threeApps } from './three-apps.js';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../../../bin/nodecluster.js', import.meta.url));
const apps = [
  ...threeApps,
  shopApp({
    name: 'Front_1',
    env: { PORT: '80' },
    dependsOn: { web: 'ready' },
    privilegedPorts: ['80', '443'],
  }),
  shopApp({ name: 'migrate', autorestart: false }),
  shopApp({ name: 'ports', instances: 3, env: { PORT: '5000' }, incrementVar: 'PORT' }),
];
const options = { image: 'example.com/shop:1' };

const PRINTS_VERSIONS = `
import os
from kubernetes_validate.utils import all_versions
print(*sorted(set(all_versions())), flush=True)
os._exit(0)
`;

const without = (program) =>
  spawnSync(program, ['--version']).status === 0 ? false : `${program} is not installed`;

t.test('kubernetes-validate --strict', { skip: without('kubernetes-validate') }, async (t) => {
  const versions = await kubernetesVersions(t);
  const file = join(t.testdir(), 'apps.yaml');
  const each = versions.flatMap((version) => ['-k', version]);
  const validate = () => run('kubernetes-validate', ['--strict', '--quiet', ...each, file]);
  writeFileSync(file, exportOf(apps, options).text);
  t.ok(versions.length > 5, `versions: ${versions.join(', ')}`);
  await t.resolves(validate());
  writeFileSync(file, readFileSync(file, 'utf8').replace(/maxSurge/g, 'maxsurge'));
  const { stdout, stderr } = await validate().catch((failed) => failed);
  for (const version of versions) {
    t.match(stdout + stderr, version.replace(/\.0$/, ''), `${version} finds a wrong key`);
  }
});

/**
 * Of the schemas that the program ships; it has no option for that. Its Python loads this module before it; which
 * Python that is, the program may find out by itself.
 */
async function kubernetesVersions(t) {
  const PYTHONPATH = t.testdir({ 'sitecustomize.py': PRINTS_VERSIONS });
  const { stdout } = await run('kubernetes-validate', [], { env: { ...process.env, PYTHONPATH } });
  return stdout.trim().split(' ');
}

const { NODECLUSTER_TEST_PYTHON: PYTHON = 'python3' } = process.env;
const hasPyYaml = spawnSync(PYTHON, ['-c', 'import yaml']).status === 0;
const WITHOUT_PYYAML = !hasPyYaml && 'PyYAML is not installed';
const READS_YAML = `
import json, sys, yaml
yaml.SafeLoader.add_constructor('tag:yaml.org,2002:timestamp', lambda loader, node: ['a date'])
print(json.dumps(list(yaml.safe_load_all(sys.stdin.buffer.read().decode()))))
`;

/** @returns its documents, as a reader of YAML 1.1 understands them */
function readWithPython(text) {
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', READS_YAML], { input: text });
  if (stderr.length > 0) throw new Error(String(stderr));
  return JSON.parse(String(stdout));
}

const PIECES =
  '\n|\r|\r\n|\n\n|\t|\0|\x07|\x1b[2J|\x7f|\x85|\xa0|\u200b|\u2028|\u2029|\u202e|\ufeff|\ufffd|\ufffe|\uffff|\ud83d|\udc00|😀|' +
  'é| |  |    |- |? |: |:| #|#|---|...|---\n|\n...|%TAG|!!int |&a|*a|<<|=|~|@|`|"|\'|\\|{|}|[|]|,|>|>-|yes|no|On|y|null|' +
  'true|1e3|0o7|017|0x1f|1_000|12:30:45|22:22|.inf|.5|+1|-0|2001-01-01|privileged: true|key|a';
const WORDS = PIECES.replaceAll('>|', '').split('|').concat('|', '>', '|-', '|+');

function randomText(random) {
  const count = random.chance(0.3) ? 1 : random.integer(0, 8);
  const text = Array.from({ length: count }, () => WORDS[random.integer(0, WORDS.length - 1)]);
  return text.join('').repeat(random.chance(0.01) ? 300 : 1);
}

t.test('PyYAML reads each text as it is', { skip: WITHOUT_PYYAML }, async (t) => {
  const random = new Random(1);
  const texts = [...WORDS, ...Array.from({ length: 1000 }, () => randomText(random))];
  const env = Object.fromEntries(texts.map((text, index) => [`N${index}`, text]));

  const [, deployment] = readWithPython(exportOf([shopApp({ name: 'web', env })], options).text);
  const [container] = deployment.spec.template.spec.containers;
  const shown = container.env.filter(({ valueFrom }) => !valueFrom);
  t.ok(shown.length > 990, 'few look secret');
  const different = shown.filter(({ name, value }) => value !== env[name]);
  t.same(different, [], 'values in a manifest');

  const names = [...new Set(texts)].filter((text) => text !== '');
  const own = Object.fromEntries(names.map((name) => [name, name]));
  const settings = { name: 'web', args: texts, env: own };
  const written = writeYaml([{ settings, remarks: texts }], texts);
  t.same(readWithPython(written), [{ apps: [settings] }], 'lists, names and comments');
  t.same(parse(written), { apps: [settings] }, 'as YAML 1.2 too');
});

t.test('the Compose specification', { skip: without('check-jsonschema') }, async (t) => {
  const file = join(t.testdir(), 'compose.yaml');
  const validate = () => run('check-jsonschema', ['--builtin-schema', 'vendor.compose-spec', file]);
  writeFileSync(file, blockOf('guides/containers.md', 'yaml'));
  await t.resolves(validate());
  writeFileSync(file, readFileSync(file, 'utf8').replace(/read_only: true/g, 'read_only: []'));
  await t.rejects(validate(), 'it finds a wrong value');
});

t.test('systemd-analyze verify', { skip: without('systemd-analyze') }, async (t) => {
  const directory = t.testdir();
  const unit = blockOf('guides/start-at-boot.md', 'ini')
    .replace(/^ExecStart=\S+ \S+/m, `ExecStart=${process.execPath} ${CLI}`)
    .replace('User=shop', `User=${userInfo().username}`);
  writeFileSync(join(directory, 'shop.service'), unit);
  const verify = () => run('systemd-analyze', ['verify', 'shop.service'], { cwd: directory });
  t.equal((await verify()).stderr, '');
  writeFileSync(join(directory, 'shop.service'), unit.replace('[Unit]', '[Unitt]'));
  t.match((await verify()).stderr, /Unitt/, 'it finds a wrong value');
});

t.test('the manifests fit together', async (t) => {
  const documents = parseAllDocuments(exportOf(apps, options).text, { version: '1.1' });
  const objects = documents.map((document) => document.toJS());
  const ofKind = (kind) => objects.filter((each) => each.kind === kind);
  for (const { spec } of ofKind('Deployment')) {
    const { labels } = spec.template.metadata;
    t.match(labels, spec.selector.matchLabels, 'selects its own pods');
    const names = spec.template.spec.volumes.map(({ name }) => name);
    const [container] = spec.template.spec.containers;
    const found = container.volumeMounts.map(({ name }) => name);
    t.same(found, names);
  }
  const configs = new Set(ofKind('ConfigMap').map(({ metadata }) => metadata.name));
  t.equal(configs.size, apps.length, 'each app has its settings');
});

t.test('the health check of Compose', async (t) => {
  let status = 200;
  const server = await listen(t, () => status);
  const compose = parse(blockOf('guides/containers.md', 'yaml'));
  const [, program, ...args] = compose.services.shop.healthcheck.test;
  t.equal(program, 'node');
  const words = args.map((word) => word.replace(':9464', `:${server.port}`));
  await t.resolves(run(process.execPath, words), 'ready');
  status = 503;
  await t.rejects(run(process.execPath, words), 'not ready');
  await server.close();
  await t.rejects(run(process.execPath, words), 'nothing listens');
});

async function listen(t, status) {
  const server = http.createServer((_, reply) => reply.writeHead(status()).end());
  const place = { port: 0, host: '127.0.0.1' };
  const close = () => new Promise((done) => server.close(done));
  return { port: await listening(t, server, place), close };
}
