/** Who may import whom: docs/architecture.md as a test. */
import t from 'tap';
import { importsOf, projectFiles, shippedSources } from '../support/sources.js';

/** The rooms of src/ and the other rooms that each may import. */
const MAY_IMPORT = {
  errors: ['feature'],
  shared: ['errors'],
  lifecycle: ['errors', 'shared'],
  boot: ['errors', 'shared'],
  show: ['errors', 'shared', 'lifecycle', 'feature'],
  feature: ['errors', 'shared', 'lifecycle', 'config', 'protocol'],
  config: ['errors', 'shared', 'lifecycle', 'feature'],
  protocol: ['errors', 'shared', 'feature'],
  agent: ['lifecycle'],
  inspector: ['errors', 'shared', 'protocol', 'feature'],
  primary: ['errors', 'shared', 'lifecycle', 'config', 'protocol', 'feature'],
  daemon: ['errors', 'shared', 'lifecycle', 'config', 'protocol', 'feature'],
  api: ['errors', 'shared', 'lifecycle', 'config', 'protocol', 'feature', 'show'],
  cli: ['errors', 'shared', 'lifecycle', 'config', 'protocol', 'feature', 'api', 'boot', 'show'],
  bin: ['shared', 'cli', 'daemon'],
  // `lifecycle` is pure: what a client decides as the kernel does, such as a probe, it decides by the same function.
  clients: ['errors', 'shared', 'lifecycle', 'show', 'api'],
};

/** They name features: a list for each process, the commands, and the command line itself. */
const LISTS = /^(src\/features\/[\w-]+\.c?js|src\/cli\/commands\.js|bin\/nodecluster\.js)$/;

/** What the files of a feature are named after, and the room whose rule they follow; the others are for every process. */
const ROOM_OF_PART = { cli: 'cli', command: 'cli', show: 'show' };
const PROCESSES = ['agent', 'primary', 'daemon', 'api', 'inspector'];

/** Each third-party package and the files through which alone it comes in. */
const DOORS = {
  commander: /^src\/cli\/(main|program)\.js$/,
  chalk: /^src\/show\/terminal\/es-packages\.js$/,
  'cli-table3': /^src\/show\/terminal\/table\.js$/,
  'wrap-ansi': /^src\/show\/terminal\/es-packages\.js$/,
  'string-width': /^src\/show\/terminal\/es-packages\.js$/,
  yaml: /^src\/(config\/file\/load-yaml|api\/write-ecosystem|clients\/export\/kubernetes-pod)\.js$/,
  '@humanwhocodes/momoa': /^src\/config\/file\/load-json\.js$/,
  croner: /^src\/config\/types\/cron\.js$/,
  ignore: /^src\/features\/watch\/filter\.js$/,
  pidusage: /^src\/daemon\//,
  htm: /^src\/clients\/web\/page\/html\.js$/,
  preact: /^src\/clients\/web\/page\//,
  uplot: /^src\/clients\/web\/page\/chart\.js$/,
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

t.test('each room imports only the rooms it may', async (t) => {
  const wrong = imports
    .filter(({ kind }) => kind === 'file')
    .filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      const isInTable = from === 'src/cli/commands.js' && other === 'clients';
      return room !== other && !isInTable && !MAY_IMPORT[room]?.includes(other);
    });
  t.same(wrong.map(arrow), []);
});

t.test('the kernel and other features import no feature: lists name them', async (t) => {
  const featureOf = (path) => /^src\/features\/([^/]+)\//.exec(path)?.[1];
  const found = imports
    .filter(({ kind, from, to }) => {
      const feature = kind === 'file' && featureOf(to);
      return feature && featureOf(from) !== feature && !LISTS.test(from);
    })
    .map(({ from, to }) => `${from} → ${featureOf(to)}`);
  t.same(found, []);
});

t.test('every room is listed in the rules', async (t) => {
  const wrong = [...new Set(sources.map(roomOf))].filter((room) => !(room in MAY_IMPORT));
  t.same(wrong, []);
});

t.test('every imported file exists', async (t) => {
  const files = projectFiles();
  const missing = imports.filter(({ kind, to }) => kind === 'file' && !files.includes(to));
  t.same(missing.map(arrow), []);
});

t.test('there are no import cycles', async (t) => {
  t.same(circles(), []);
});

t.test('each package is imported only through its door', async (t) => {
  const packages = imports.filter(({ kind }) => kind === 'package');
  const wrong = packages.filter(({ from, to }) => !DOORS[to]?.test(from));
  t.same(wrong.map(arrow), []);
});

t.test('primary and agent load no package, nor does what they import', async (t) => {
  const starts = sources.filter((path) => ['primary', 'agent'].includes(roomOf(path)));
  const loaded = new Set(starts.flatMap((path) => [path, ...reachableFrom(path)]));
  const wrong = imports.filter(({ kind, from }) => kind === 'package' && loaded.has(from));
  t.same(wrong.map(arrow), []);
});

t.test('lifecycle and errors import no Node module, nor does what they import', async (t) => {
  const starts = sources.filter((path) => ['lifecycle', 'errors'].includes(roomOf(path)));
  const loaded = new Set(starts.flatMap((path) => [path, ...reachableFrom(path)]));
  const wrong = imports.filter(({ kind, from }) => kind === 'node' && loaded.has(from));
  t.same(wrong.map(arrow), []);
});

t.test('a browser can load show and the page, with all that they import', async (t) => {
  const isOfPage = (path) => path.startsWith('src/clients/web/page/');
  const isOfTerminal = (path) => path.startsWith('src/show/terminal/');
  const starts = sources.filter(
    (path) => (roomOf(path) === 'show' && !isOfTerminal(path)) || isOfPage(path),
  );
  const loaded = new Set(starts.flatMap((path) => [path, ...reachableFrom(path)]));
  const wrong = imports.filter(
    ({ kind, from }) =>
      loaded.has(from) && (kind === 'node' || (kind === 'package' && !isOfPage(from))),
  );
  t.same(wrong.map(arrow), []);
});

t.test('the agent and what it imports is CommonJS, everything else is ES modules', async (t) => {
  const agent = sources.filter((path) => roomOf(path) === 'agent');
  const own = new Set(agent.flatMap((path) => [path, ...reachableFrom(path)]));
  const wrong = sources.filter((path) => own.has(path) !== path.endsWith('.cjs'));
  t.same(wrong, []);
});

function arrow({ from, to }) {
  return `${from} → ${to}`;
}

function circles() {
  return sources.filter((start) => reachableFrom(start).has(start));
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
