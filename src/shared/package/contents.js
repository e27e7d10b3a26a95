/** The files that daemon, primaries and workers load: of this package, and of its dependencies. */
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The rooms of src/ that they load. */
const ROOMS = [
  'agent',
  'clients/serve',
  'config',
  'daemon',
  'errors',
  'features',
  'lifecycle',
  'primary',
  'protocol',
  'shared',
];

/** The packages that they load; these load others. In the published package, they are inside its files. */
const PACKAGES = ['chokidar', 'croner', 'ignore', 'pidusage', 'send'];

/** Files for people and for compilers. */
const NOT_LOADED = /\.d\.[cm]?ts$|\.map$|\.md$/;

/**
 * @typedef {object} PackageFile
 * @property {string} from its absolute path
 * @property {string} to its path in a copy of the package
 */

/**
 * Dependencies are where Node looks for them, however the package was installed: beside it, in an
 * app's node_modules, or behind the links of pnpm.
 * @param {string} root of the package
 * @returns {PackageFile[]} in a fixed order
 * @throws {Error} if a dependency is missing
 */
export function contentsOf(root) {
  const rooms = ROOMS.map((room) => path.join('src', room));
  // In the published package, most rooms are inside other files.
  const own = rooms
    .filter((room) => existsSync(path.join(root, room)))
    .flatMap((room) => filesBelow(path.join(root, room), room));
  const manifest = { from: path.join(root, 'package.json'), to: 'package.json' };
  const places = placeDependencies(root);
  const others = [...places].flatMap(([to, from]) => filesBelow(from, to));
  return [manifest, ...own, ...others];
}

/**
 * At the top if that place is free. Level by level, so that no later place hides an earlier one.
 * @param {string} root
 * @returns {Map<string, string>} the directory of each dependency by its place in a copy
 */
function placeDependencies(root) {
  /** @type {Map<string, string>} */
  const places = new Map();
  const open = [{ from: realpathSync(root), to: '' }];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const needed = dependenciesOf(at.from);
    for (const name of at.to === '' ? needed.filter((each) => PACKAGES.includes(each)) : needed) {
      const from = findDependency(at.from, name);
      const known = visiblePlaces(at.to, name).find((place) => places.has(place));
      if (known && places.get(known) === from) continue;
      const to = path.join(known ? at.to : '', 'node_modules', name);
      places.set(to, from);
      open.push({ from, to });
    }
  }
  return places;
}

/** @param {string} directory */
function dependenciesOf(directory) {
  const manifest = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  return Object.keys(manifest.dependencies ?? {}).sort();
}

/** @param {string} directory @param {string} name @returns {string} its real path */
function findDependency(directory, name) {
  for (let at = directory; ; at = path.dirname(at)) {
    const place = path.join(at, 'node_modules', name);
    if (existsSync(place)) return realpathSync(place);
    if (at === path.dirname(at)) throw new Error(`${name} is missing`);
  }
}

/** @param {string} to place of a package @param {string} name @returns {string[]} nearest first */
function visiblePlaces(to, name) {
  const parents = to.split(`${path.sep}node_modules${path.sep}`);
  const nested = parents.map((_, index) =>
    parents.slice(0, parents.length - index).join(`${path.sep}node_modules${path.sep}`),
  );
  return [...nested, ''].map((parent) => path.join(parent, 'node_modules', name));
}

/** @param {string} directory @param {string} to @returns {PackageFile[]} */
function filesBelow(directory, to) {
  const entries = readdirSync(directory, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const [from, place] = [directory, to].map((parent) => path.join(parent, entry.name));
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(from, place);
    return NOT_LOADED.test(entry.name) ? [] : [{ from, to: place }];
  });
}
