/** The operations that are interrupted, and what the desired state is before and after each. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app } from '../../../test/support/home.js';

/**
 * @import { Home } from '../../../test/support/home.js'
 * @import { Victim } from './processes.js'
 */

/**
 * What an app is, desired or actual. null: there is no such app.
 * @typedef {{workers: number, version: string | null} | null} Shape workers 0: it is stopped
 *
 * @typedef {object} Operation
 * @property {string} name
 * @property {Shape} before
 * @property {Shape} after
 * @property {string[]} args of the command; `FILE` is the ecosystem file
 * @property {string[]} [apps] more than one: each is as before or as after
 * @property {string[]} [first] a command that brings about the state before
 * @property {string} [release] the version of the package that the command belongs to
 * @property {boolean} [replacesPrimaries] they have that version afterwards
 * @property {readonly Victim[]} [victims]
 * @property {boolean} [isServed] requests are sent all the time, and none may be lost
 */

const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));

const OLD = /** @type {const} */ (['old daemon', 'old primary', 'old worker']);
const NEW = /** @type {const} */ (['new daemon', 'new primary', 'new worker']);

const RUNNING = { workers: 2, version: '1' };
const STOPPED = { workers: 0, version: null };

/** The apps of a command that starts several, each of which depends on the one before it. */
const CHAIN = ['api', 'web', 'admin'];

/** @type {Operation[]} */
export const operations = [
  { name: 'start', before: null, after: RUNNING, args: ['start', 'FILE'] },
  { name: 'start of 3 apps', before: null, after: RUNNING, args: ['start', 'FILE'], apps: CHAIN },
  served('reload', { ...RUNNING, version: '2' }, ['reload', 'FILE']),
  served('restart', { ...RUNNING, version: '2' }, ['restart', 'FILE']),
  served('scale up', { ...RUNNING, workers: 4 }, ['scale', 'api', '4']),
  served('scale down', { ...RUNNING, workers: 1 }, ['scale', 'api', '1']),
  served('apply', { workers: 3, version: '2' }, ['apply', 'FILE']),
  {
    ...served('update', RUNNING, ['update']),
    release: '99.0.0',
    victims: ['command', 'old daemon', 'new daemon', 'primary', 'old worker'],
  },
  {
    ...served('update --apps', RUNNING, ['update', '--apps']),
    release: '99.0.0',
    replacesPrimaries: true,
    victims: ['command', ...OLD, ...NEW],
  },
  { name: 'stop', before: RUNNING, after: STOPPED, args: ['stop', 'api'] },
  { name: 'delete', before: RUNNING, after: null, args: ['delete', 'api'] },
  { name: 'kill', before: RUNNING, after: STOPPED, args: ['kill'] },
  { name: 'resurrect', before: STOPPED, after: RUNNING, args: ['resurrect'], first: ['kill'] },
];

/** @param {string} name @param {Shape} after @param {string[]} args @returns {Operation} */
function served(name, after, args) {
  return { name, before: RUNNING, after, args, isServed: true };
}

/**
 * @param {Home} home
 * @param {Operation} operation
 * @param {NonNullable<Shape>} shape of its apps
 * @param {{ports: number[], scheduling: string}} options
 * @returns {string} the path of the ecosystem file
 */
export function writeFile(
  { root },
  { apps = ['api'] },
  { workers, version },
  { ports, scheduling },
) {
  const file = join(root, 'ecosystem.json');
  const entries = apps.map((name, index) => ({
    name,
    script: app('http-pid.cjs'),
    instances: workers,
    scheduling,
    min_uptime: '100ms',
    env: { PORT: ports[index], APP_VERSION: version },
    depends_on: apps.slice(Math.max(0, index - 1), index),
  }));
  writeFileSync(file, JSON.stringify({ apps: entries }));
  return file;
}

/** @param {Home} home @param {string} version @returns {string} the path of the command of another release */
export function writeRelease({ root }, version) {
  const release = join(root, 'release');
  for (const part of ['bin', 'src'])
    cpSync(join(PACKAGE, part), join(release, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  writeFileSync(join(release, 'package.json'), JSON.stringify({ ...manifest, version }));
  symlinkSync(join(PACKAGE, 'node_modules'), join(release, 'node_modules'));
  return join(release, 'bin', 'nodecluster.js');
}
