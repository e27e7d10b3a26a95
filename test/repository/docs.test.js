/** The documentation: links that lead somewhere, codes that exist, no traces of a machine; and a man page for each command. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { manPages } from '../../scripts/man-pages.js';
import { commands } from '../../src/cli/commands.js';
import { options } from '../../src/config/options/table.js';
import { catalogue } from '../../src/errors/catalogue.js';
import { exitCodes } from '../../src/errors/exit-codes.js';
import { ROOT, projectFiles, read, shippedSources, withoutComments } from '../support/sources.js';

const files = projectFiles();
const pages = files.filter((path) => path.endsWith('.md'));

/** Commands show these only as the failure of an app. */
const UNDER_AN_APP = [
  'E_APP_DELETED',
  'E_APP_STOPPED',
  'E_CANARY',
  'E_DAEMON_EXITS',
  'E_LOG_FILE',
  'E_PRIMARY_LOST',
  'E_PRIMARY_REPORT',
  'E_PRIMARY_SILENT',
  'E_PRIMARY_STAYS',
  'E_PRIMARY_UNCLEAR',
  'E_PRIMARY_USER',
  'E_PRIVILEGED_PORT',
  'E_PROGRAM_CHANGED',
  'E_USER_ACCESS',
  'E_USER_GROUP',
];

t.test('every link between pages points to an existing file and heading', async (t) => {
  const broken = pages.flatMap((page) =>
    linksIn(page)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => !leadsSomewhere(page, link))
      .map((link) => `${page} → ${link}`),
  );
  t.same(broken, []);
});

t.test('docs/guides/containers.md shows the Dockerfile', async (t) => {
  const [, shown] =
    read('docs/guides/containers.md').match(/^```dockerfile\n([\s\S]*?)^```/m) ?? [];
  t.equal(shown, read('packaging/container/Dockerfile').replace(/^#.*\n/gm, ''));
});

t.test('every path in backticks is a file of the project', async (t) => {
  const missing = pages.flatMap((page) => {
    const named = read(page).matchAll(/`((?:[\w-]+\/)+[\w-]+\.(?:c?js|d\.ts))`/g);
    const wrong = [...named].filter(
      ([, path]) => !files.includes(path) && !files.includes(`src/${path}`),
    );
    return wrong.map(([, path]) => `${page} → ${path}`);
  });
  t.same(missing, []);
});

t.test('docs/reference/errors.md gives the right exit code for each error code', async (t) => {
  const page = read('docs/reference/errors.md');
  const rows = [...page.matchAll(/^- `(E_[A-Z0-9_]+)` \((\d+)\): /gm)];
  const [, together, exit] = page.match(/^- ((?:`E_\w+`[,\s]+)+)\(exit code (\d+)\)/m) ?? [];
  const pairs = [
    ...rows.map(([, code, exit]) => [code, Number(exit)]),
    ...(together?.match(/E_\w+/g) ?? []).map((code) => [code, Number(exit)]),
  ];
  t.equal(pairs.length, Object.keys(catalogue).length, 'each code is there once');
  const expected = Object.entries(catalogue).map(([code, { exitCode }]) => {
    return [code, exitCodes[UNDER_AN_APP.includes(code) ? 'appFailed' : exitCode]];
  });
  t.same(Object.fromEntries(pairs), Object.fromEntries(expected));
});

t.test('docs/reference/errors.md lists every exit code', async (t) => {
  const rows = [...read('docs/reference/errors.md').matchAll(/^\| ([\d, ]+?) +\|/gm)];
  const named = rows.flatMap(([, codes]) => codes.split(', ').map(Number));
  t.same(named, [...Object.values(exitCodes), 129, 143, 130]);
});

t.test('the source uses exactly the codes of the catalogue', async (t) => {
  const users = shippedSources().filter(
    (path) => !/^src\/(errors\/codes|clients\/errors)\b/.test(path),
  );
  const code = users.map((path) => withoutComments(read(path))).join('\n');
  const used = new Set(code.match(/\bE_[A-Z0-9_]+\b/g));
  t.same([...used].sort(), Object.keys(catalogue).sort());
});

t.test('no file contains paths of the machine it was written on', async (t) => {
  const traces =
    /(^|[\s'"`(=:])\/(work|root|home\/(?!me\b|you\b)\w+|Users\/\w+)\/|\bregistry\.[a-z-]+\.|\/tmp\/\w+\//m;
  const self = 'test/repository/docs.test.js';
  const wrong = files.filter((path) => path !== self && traces.test(read(path)));
  t.same(wrong, []);
});

function linksIn(page) {
  const text = read(page).replace(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
}

function leadsSomewhere(page, link) {
  const [path, anchor] = link.split('#');
  const target = path === '' ? page : posix.join(posix.dirname(page), path).replace(/\/$/, '');
  const exists = files.some((file) => file === target || file.startsWith(`${target}/`));
  return exists && (anchor === undefined || anchorsOf(target).includes(anchor));
}

function anchorsOf(page) {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const manual = await manPages();

t.test('a page for each command and each setting', async (t) => {
  const names = commands.map(({ name }) => `nodecluster-${name}.1`);
  t.same(Object.keys(manual).sort(), [...names, 'ecosystem.yml.5', 'nodecluster.1'].sort());
  for (const { name } of commands)
    t.match(manual['nodecluster.1'], `.It Xr nodecluster-${name} 1\n`);
  for (const { key } of options) t.match(manual['ecosystem.yml.5'], `.Ss ${key}\n`);
});

t.test('they have every option, and no directory of the machine', async (t) => {
  const { command } = await commands[0].load();
  const long = command.options.map(({ flags }) => flags.match(/--([\w-]+)/)?.[1]);
  t.ok(long.length > 30);
  for (const name of long) {
    t.match(manual['nodecluster-start.1'], `Fl \\-${name?.replaceAll('-', '\\-')}`);
  }
  for (const [name, text] of Object.entries(manual)) t.notMatch(text, ROOT, name);
});

const mandoc = spawnSync('mandoc', ['-T', 'lint', '/dev/null']);
t.test('mandoc', { skip: mandoc.error && 'mandoc is not installed' }, async (t) => {
  const directory = t.testdir();
  for (const [name, text] of Object.entries(manual)) writeFileSync(join(directory, name), text);
  // It looks for the pages that are referred to in the current directory too.
  const { status, stdout } = spawnSync('mandoc', ['-T', 'lint', ...Object.keys(manual)], {
    cwd: directory,
    encoding: 'utf8',
  });
  t.same({ status, stdout }, { status: 0, stdout: '' });
});
