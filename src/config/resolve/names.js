/** The names of apps: the given ones, or made from their scripts and then different within a file. */
import { basename, resolve, dirname, extname } from 'node:path';
import { readPackageJson } from '../../shared/files/small-file.js';

/**
 * @import { Spec } from '../spec.js'
 * @import { Settings } from './app.js'
 * @import { App } from './apps.js'
 * @import { PackageJson } from '../../shared/files/small-file.js'
 */

/**
 * Undefined: it was rejected, or there is no program.
 * @param {Pick<Spec, 'script' | 'cwd' | 'resolvedFrom'>|null} program
 * @param {Settings} settings
 * @param {string} directory of the file
 */
export function resolveName(program, { inputs, values }, directory) {
  const script = program
    ? namingScript(program)
    : values.script && resolve(directory, values.script);
  const isGiven = inputs.has('name') || script === undefined;
  return isGiven ? values.name : defaultName(script, program?.cwd ?? directory);
}

/** @param {Pick<Spec, 'script' | 'resolvedFrom'>} program @returns {string} that gives the app its name */
function namingScript({ script, resolvedFrom }) {
  if (resolvedFrom && resolvedFrom.lines.length > 0) return 'npm';
  const typed = resolvedFrom?.script ?? script;
  return basename(typed) === 'tsx' ? script : typed;
}

/**
 * Of apps that share a name, those without one of their own are named after their directories, else numbered.
 * @param {readonly App[]} apps of one file @param {string} directory of it; a script in it keeps the name of the project
 */
export function giveDistinctNames(apps, directory) {
  const sharesName = (/** @type {App} */ { name, isNamed, spec }) =>
    !isNamed && spec !== null && apps.filter((app) => app.name === name).length > 1;
  const used = new Set(apps.filter((app) => !sharesName(app)).map(({ name }) => name));
  return apps.map((app) => {
    if (!sharesName(app)) return app;
    const named = freeName(app, directory, used);
    used.add(named.name);
    return named;
  });
}

/** @param {App} app @param {string} directory @param {ReadonlySet<string | undefined>} used */
function freeName(app, directory, used) {
  const spec = /** @type {Spec} */ (app.spec);
  const script = namingScript(spec);
  const place = script.includes('/') ? dirname(script) : spec.cwd;
  const [own, ofPlace] = [ownName(script), directoryName(place)];
  // `api` for api/index.js, `api-worker` for api/worker.js
  const distinct = own && ofPlace ? validName(`${ofPlace}-${own}`) : ofPlace;
  const first = place === directory ? spec.name : (distinct ?? spec.name);
  let name = first;
  for (let number = 2; used.has(name); number += 1) name = `${first}-${number}`;
  return { ...app, name, spec: { ...spec, name } };
}

const LONGEST = 64;
/** They say nothing about the app: every project has one. */
const USUAL_STEM = /^(index|app|server|main)$/i;
/** Commands that run whatever the package in the working directory says. */
const PACKAGE_RUNNER = /^(npm|npx|yarn|pnpm|bun|node|sh)$/;
/** Directories inside a project, and the link to its latest release. */
const INNER_DIRECTORY = /^(src|dist|build|lib|bin|out|current)$/;
/** What Nitro and Next.js build, in the directory of the project. */
const BUILD_OUTPUT = /\/\.(output|next)(\/.*)?$/;

/** @param {string} script absolute, or a command @param {string} cwd @param {PackageJson} [packageJson] the nearest one */
export function defaultName(script, cwd, packageJson) {
  const directory = script.includes('/') ? dirname(script) : cwd;
  return ownName(script) ?? projectName(directory, packageJson) ?? fileName(script) ?? 'app';
}

/** @param {string} script @returns {string|null} null: its file says nothing about the app */
function ownName(script) {
  const isCommand = !script.includes('/');
  const stem = basename(script, isCommand ? '' : extname(script));
  const isUsual = isCommand ? PACKAGE_RUNNER.test(stem) : USUAL_STEM.test(stem);
  return isUsual ? null : fileName(script);
}

/** @param {string} script absolute, or a command @returns {string|null} `server` for server.js; null: no app can have that name */
export function fileName(script) {
  return validName(script.includes('/') ? basename(script, extname(script)) : script);
}

/**
 * That of the package, or else of the directory; null if an app can have neither.
 * @param {string} directory absolute @param {PackageJson|null} [packageJson] the nearest one @returns {string|null}
 */
function projectName(directory, packageJson = nearestPackage(projectOf(directory))) {
  const name = packageJson?.name;
  const own = typeof name === 'string' ? validName(name.replace(/^@[^/]*\//, '')) : null;
  return own ?? directoryName(directory);
}

/** @param {string} directory */
function projectOf(directory) {
  return directory.replace(BUILD_OUTPUT, '') || '/';
}

/** @param {string} directory @returns {PackageJson|null} */
export function nearestPackage(directory) {
  const found = readPackageJson(directory);
  const parent = dirname(directory);
  if (parent === directory || (found && !/\/(dist|build)(\/|$)/.test(directory))) return found;
  // The one in a build describes the build, unless the project itself is in a directory called build.
  return nearestPackage(parent) ?? found;
}

/** @param {string} directory @returns {string|null} */
function directoryName(directory) {
  const project = projectOf(directory);
  const name = basename(project);
  return INNER_DIRECTORY.test(name) ? directoryName(dirname(project)) : validName(name);
}

/** @param {string} text @returns {string|null} it as far as the name of an app may contain it; null: nothing is left */
export function validName(text) {
  const name = text
    .replace(/[^A-Za-z0-9._@-]+/g, '-')
    .replace(/^[.-]+|-+$/g, '')
    .slice(0, LONGEST);
  if (name === '') return null;
  return /^(\d+|all)$/.test(name) ? `app-${name}`.slice(0, LONGEST) : name;
}
