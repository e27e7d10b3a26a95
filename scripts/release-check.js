/**
 * `npm run release:check [-- v1.0.0]`: everything about a release but publishing it (docs/maintaining.md). It leaves in
 * release/ the tarball, its SBOMs and their SHA-256 sums. With a tag, the version must be the one that it names.
 * Every step runs, also after one that failed. The exit code is 1 if one did.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledOnly } from './release/bundled-only.js';
import { packageFaults } from './release/package-faults.js';
import { versionFaults } from './release/version-faults.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const RELEASE = path.join(ROOT, 'release');
/** How to install it. */
const PAGES = ['README.md', 'docs/guides/first-hour.md'];
/** Licences of packages whose code may be in the tarball. */
const LICENCES = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];
/** By how npm calls a format, the end of the file's name. */
const SBOMS = { cyclonedx: 'cdx.json', spdx: 'spdx.json' };
/** `.ci/run` runs all. */
const TESTS = ['test/smoke/!(simulation).test.js', 'test/e2e/every-node/package.test.js'];
const LINES_OF_A_FAILURE = 60;

const manifest = JSON.parse(read('package.json'));
const name = `${manifest.name}-${manifest.version}`;
const tarball = path.join(RELEASE, `${name}.tgz`);
const work = fs.mkdtempSync(path.join(tmpdir(), 'nodecluster-release-'));

/** What a step returns is said about it. @type {Record<string, () => string | void>} */
const steps = {
  'version and changelog': () => {
    const pages = Object.fromEntries(PAGES.map((page) => [page, read(page)]));
    const changelog = read('CHANGELOG.md');
    const faults = versionFaults({ manifest, changelog, pages, tag: process.argv[2] });
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return manifest.version;
  },
  'no package is behind without a reason': () => {
    // Its exit code is 1 when one is behind.
    const { stdout } = spawnSync('npm', ['outdated', '--json'], { cwd: ROOT, encoding: 'utf8' });
    const faults = packageFaults(JSON.parse(stdout), read('docs/maintaining.md'));
    if (faults.length > 0) throw new Error(faults.join('\n'));
  },
  build: () => {
    npm('run', 'build');
  },
  licences: () => {
    const others = bundled().filter(({ licence }) => !LICENCES.includes(licence));
    if (others.length > 0) throw new Error(JSON.stringify(others));
    return `${bundled().length} packages: ${LICENCES.join(', ')}`;
  },
  'two tarballs are the same': () => {
    for (const place of [RELEASE, work]) npm('pack', '--pack-destination', place, './dist');
    const again = path.join(work, path.basename(tarball));
    if (sumOf(tarball) !== sumOf(again)) throw new Error('The second one has other bytes.');
    return path.basename(tarball);
  },
  'two builds are the same, and within the budget of size': () => {
    tool('npx', 'tap', '--reporter=terse', 'test/processes/repository/published.test.js');
  },
  'tests of the installed package': () => {
    npm('run', 'test:built', '--', ...TESTS);
    return TESTS.join(' ');
  },
  'deb and rpm': () => {
    tool('packaging/linux/build.sh', RELEASE);
  },
  SBOMs: () => {
    for (const [format, end] of Object.entries(SBOMS)) {
      const sbom = bundledOnly(JSON.parse(sbomOf(format)), bundled());
      fs.writeFileSync(path.join(RELEASE, `${name}.${end}`), JSON.stringify(sbom, null, 2));
    }
    return `${Object.keys(SBOMS).join(', ')}: ${bundled().length} packages`;
  },
  'SHA-256 sums': () => {
    const lines = fs
      .readdirSync(RELEASE)
      .map((file) => `${sumOf(path.join(RELEASE, file))}  ${file}`);
    fs.writeFileSync(path.join(RELEASE, 'SHA256SUMS'), `${lines.join('\n')}\n`);
    return `\n${lines.join('\n')}`;
  },
};

fs.rmSync(RELEASE, { recursive: true, force: true });
fs.mkdirSync(RELEASE);
const failed = Object.keys(steps).filter((title) => !passes(title));
fs.rmSync(work, { recursive: true });
console.log(failed.length > 0 ? `Not ready: ${failed.join('; ')}` : `${name} can be released.`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** @param {string} title of a step */
function passes(title) {
  const begin = Date.now();
  try {
    const said = steps[title]();
    const seconds = Math.round((Date.now() - begin) / 1000);
    console.log(`ok: ${title}, ${seconds} s${said ? `: ${said}` : ''}`);
    return true;
  } catch (error) {
    const { message, stdout, stderr } = /** @type {any} */ (error);
    const lines = [message, stdout, stderr].filter(Boolean).join('\n').trim().split('\n');
    console.log(`FAILED: ${title}\n  ${lines.slice(-LINES_OF_A_FAILURE).join('\n  ')}`);
    return false;
  }
}

/** @returns {{name: string, version: string, licence: string}[]} packages whose code is in the tarball */
function bundled() {
  const headings = read('dist/THIRD-PARTY-LICENCES.md').matchAll(/^## (\S+) (\S+) \((.+)\)$/gm);
  return [...headings].map(([, name, version, licence]) => ({ name, version, licence }));
}

/** @param {string} format @returns {string} of all packages of the project, in a directory with the name that npm gives it */
function sbomOf(format) {
  const directory = path.join(work, manifest.name);
  fs.mkdirSync(directory, { recursive: true });
  const published = JSON.stringify({ ...manifest, private: undefined });
  fs.writeFileSync(path.join(directory, 'package.json'), published);
  fs.copyFileSync(path.join(ROOT, 'package-lock.json'), path.join(directory, 'package-lock.json'));
  return npm('sbom', '--prefix', directory, '--package-lock-only', '--sbom-format', format);
}

/** @param {...string} args */
function npm(...args) {
  return tool('npm', ...args);
}

/** @param {string} command @param {...string} args @returns {string} its output */
function tool(command, ...args) {
  const options = /** @type {const} */ ({ cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
  return execFileSync(command, args, { ...options, maxBuffer: 2 ** 26 });
}

/** @param {string} file */
function sumOf(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

/** @param {string} file relative to the project */
function read(file) {
  return fs.readFileSync(path.join(ROOT, file), 'utf8');
}
