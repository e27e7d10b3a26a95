/** Who may import whom: docs/architecture.md as a test. */
import t from 'tap';
import { importsOf, projectFiles, read, shippedSources } from '../support/sources.js';

/** The rooms of src/ and the other rooms that each may import. */
const MAY_IMPORT = {
  errors: ['feature'],
  shared: ['errors'],
  lifecycle: ['errors', 'shared'],
  show: ['errors', 'shared', 'lifecycle', 'feature'],
  feature: ['errors', 'shared', 'lifecycle', 'config', 'protocol'],
  config: ['errors', 'shared', 'lifecycle', 'feature'],
  protocol: ['errors', 'shared', 'feature'],
  agent: ['lifecycle'],
  inspector: ['errors', 'shared', 'protocol', 'feature'],
  primary: ['errors', 'shared', 'lifecycle', 'config', 'protocol', 'feature'],
  // Its log, probes and alarms say reasons.
  daemon: ['errors', 'shared', 'lifecycle', 'config', 'protocol', 'feature', 'show'],
  api: ['errors', 'shared', 'lifecycle', 'config', 'protocol', 'feature', 'show'],
  cli: ['errors', 'shared', 'lifecycle', 'config', 'protocol', 'feature', 'api', 'show'],
  bin: ['shared', 'cli', 'daemon'],
  // `lifecycle` is pure: what a client decides as the kernel does, such as a probe, it decides by the same function.
  clients: ['errors', 'shared', 'lifecycle', 'show', 'api'],
};

/** They name features: a list for each process, the commands, and the command line itself. */
const LISTS = /^(src\/features\/[\w-]+\.c?js|src\/cli\/commands\.js|bin\/nodecluster\.js)$/;

/** They name clients: the commands, and the error codes. */
const LISTS_OF_CLIENTS = ['src/cli/commands.js', 'src/errors/catalogue.js'];

/** What the files of a feature are named after, and the room whose rule they follow; the others are for every process. */
const ROOM_OF_PART = { cli: 'cli', command: 'cli', show: 'show' };
const PROCESSES = ['agent', 'primary', 'daemon', 'api', 'inspector'];

/** What a feature may import of the daemon, types too: its door, and what knows no app. */
const OF_DAEMON = ['control/door', 'control/methods', 'features', 'log', 'cron-times'].concat([
  'cgroups',
  'apps/slots',
  'apps/command-queue',
  'users/account',
  'users/user-primary',
]);

/** Each third-party package and the files through which alone it comes in. */
const DOORS = {
  commander: /^src\/cli\/(main|program)\.js$/,
  chalk: /^src\/show\/terminal\/es-packages\.js$/,
  'cli-table3': /^src\/show\/terminal\/table\.js$/,
  'wrap-ansi': /^src\/show\/terminal\/es-packages\.js$/,
  'string-width': /^src\/show\/terminal\/es-packages\.js$/,
  yaml: /^src\/(config\/file\/load-yaml|api\/write-ecosystem|clients\/export\/kubernetes-pod)\.js$/,
  croner: /^src\/config\/types\/cron\.js$/,
  ignore: /^src\/features\/watch\/filter\.js$/,
  pidusage: /^src\/daemon\//,
  htm: /^src\/clients\/web\/page\/html\.js$/,
  preact: /^src\/clients\/web\/page\//,
  send: /^src\/clients\/serve\/main\.js$/,
};

const sources = shippedSources();
const imports = sources.flatMap(importsOf);
const importedBy = new Map(sources.map((path) => [path, []]));
for (const { from, to, kind } of imports) if (kind === 'file') importedBy.get(from)?.push(to);

function roomOf(path) {
  const [top, room, feature, part = feature] = path.split('/');
  if (top === 'bin') return top;
  if (room !== 'features') return room;
  const [name] = part.split(/[-.]/);
  return ROOM_OF_PART[name] ?? (PROCESSES.includes(name) ? name : 'feature');
}

const featureOf = (path) => /^src\/features\/([^/]+)\//.exec(path)?.[1];

/** All that is loaded with the files of these rooms, and they themselves. */
function loadedWith(...rooms) {
  return loadedFrom((path) => rooms.includes(roomOf(path)));
}

function loadedFrom(isStart) {
  return new Set(sources.filter(isStart).flatMap((path) => [path, ...reachableFrom(path)]));
}

const inPrimary = loadedWith('primary', 'agent');
const inPureRooms = loadedWith('lifecycle', 'errors');
const inAgent = loadedWith('agent');
const isOfPage = (path) => path.startsWith('src/clients/web/page/');
const inBrowser = loadedFrom((path) => {
  return (roomOf(path) === 'show' && !path.startsWith('src/show/terminal/')) || isOfPage(path);
});
const files = projectFiles();

/** Which imports are against a rule. */
const RULES = {
  'each room imports only the rooms it may': ({ kind, from, to }) => {
    const [room, other] = [roomOf(from), roomOf(to)];
    const isInTable = other === 'clients' && LISTS_OF_CLIENTS.includes(from);
    return kind === 'file' && room !== other && !isInTable && !MAY_IMPORT[room]?.includes(other);
  },
  'the kernel and other features import no feature: lists name them': ({ kind, from, to }) => {
    const feature = kind === 'file' && featureOf(to);
    return feature && featureOf(from) !== feature && !LISTS.test(from);
  },
  'every imported file exists': ({ kind, to }) => kind === 'file' && !files.includes(to),
  'each package is imported only through its door': ({ kind, from, to }) =>
    kind === 'package' && !DOORS[to]?.test(from),
  'primary and agent load no package, nor does what they import': ({ kind, from }) =>
    kind === 'package' && inPrimary.has(from),
  'lifecycle and errors import no Node module, nor does what they import': ({ kind, from }) =>
    kind === 'node' && inPureRooms.has(from),
  'a browser can load show and the page, with all that they import': ({ kind, from }) =>
    inBrowser.has(from) && (kind === 'node' || (kind === 'package' && !isOfPage(from))),
};

for (const [rule, isBroken] of Object.entries(RULES)) {
  const wrong = imports.filter(isBroken).map(({ from, to }) => `${from} → ${to}`);
  t.same(wrong, [], rule);
}

/** Which files are. */
const RULES_OF_FILES = {
  'every room is listed in the rules': (path) => !(roomOf(path) in MAY_IMPORT),
  'there are no import cycles': (path) => reachableFrom(path).has(path),
  'features see apps, and act on them, only through the door of the daemon': (path) =>
    /^src\/features\/[^/]+\/daemon[\w-]*\.js$/.test(path) &&
    [...read(path).matchAll(/ '[./]+\/daemon\/(.*)\.js'/g)].some(
      ([, module]) => !OF_DAEMON.includes(module),
    ),
  'the agent and what it imports is CommonJS, everything else is ES modules': (path) =>
    inAgent.has(path) !== path.endsWith('.cjs'),
};

for (const [rule, isBroken] of Object.entries(RULES_OF_FILES)) {
  t.test(rule, async (t) => t.same(sources.filter(isBroken), []));
}

function reachableFrom(start) {
  const seen = new Set();
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const next of importedBy.get(path) ?? []) {
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return seen;
}
