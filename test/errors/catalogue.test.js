import t from 'tap';
import { existsSync } from 'node:fs';
import { catalogue } from '../../src/errors/catalogue.js';
import { NodeclusterError, attempt } from '../../src/errors/error.js';
import { exitCodes } from '../../src/errors/exit-codes.js';
import { packageFile } from '../../src/errors/package-file.js';

const client = { role: 'cli', version: '2.0.0', protocol: 2 };
const daemon = { role: 'daemon', version: '1.0.0', protocol: 1, pid: 4100 };
const problem = { line: 3, column: 5, key: 'instances', text: 'must be at least 1, not 0' };
const anywhere = { line: null, column: null, key: '', text: 'no apps' };
const own = {
  name: 'api',
  program: '/srv/api.js',
  existing: '/srv/api.js',
  reason: 'running',
  keys: [],
};
const ofOther = { ...own, reason: 'program', existing: '/old/api.js' };
const reasons = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EINVAL'];

const LISTS = {
  names: ['api', 'web'],
  known: ['api', 'web'],
  args: ['stop', '0'],
  faults: ['there is no /srv/a.js'],
  reasons: ['ECONNRESET', 'status 503'],
  homes: ['/dev/shm/run-a', '/dev/shm/run-b'],
  failures: ['/dev/shm', '/tmp'].map((directory) => ({ directory, reason: 'EROFS' })),
  problems: [{ ...problem, key: '--instances' }],
};
const get = (data, name) => (name in data ? data[name] : `<${name}>`);
/** What an error has: each part of the sentence is its name, but for what `form` says. */
const dataOf = (form) => new Proxy({ ...LISTS, ...form }, { get });

const no = undefined;
/** Of sentences with several forms, what makes each. */
const FORMS = {
  E_FILE_UNWRITABLE: [{ action: 'remove' }],
  E_USAGE: [
    { advice: no, command: no, suggestion: no, forProgram: no },
    { advice: no, command: 'start', suggestion: '--watch' },
    { advice: no, suggestion: no, forProgram: true },
    {},
  ],
  E_NOTHING_NAMED: ['start', 'stop', 'apply'].map((command) => ({ command })),
  E_OPTION_NEEDS_FILE: [{}, { option: '--env', command: 'start' }],
  E_NEITHER_FILE_NOR_APP: [{}, { line: no }, { isCommand: no }, { isCommand: no, nearest: no }],
  E_NO_PROGRAM: [{}, { program: no }],
  E_NO_APPS: [{ file: no }, {}],
  E_NO_INIT_SYSTEM: [
    { initSystem: no, user: no },
    { initSystem: 'openrc' },
    { initSystem: no, command: 'unstartup' },
  ],
  E_DAEMON_RUNS: [{ isService: no }, {}],
  E_NO_TERMINAL: [{ reason: 'not one' }, { reason: 'TERM=dumb' }],
  E_DAEMON_SILENT: [{}, { pid: no, socket: no }, { pid: null }],
  E_FILE_EXISTS: [{}, { mayReplace: false }],
  E_UPDATE_FAILED: [
    { running: daemon, lastLines: ['x is not defined'] },
    { running: null, lastLines: no },
    { running: no, lastLines: no, log: no },
  ],
  E_DAEMON_START: [{ lastLines: no }, { lastLines: ['one', 'two'] }],
  E_LOG_MISSED: [{ files: 1 }, { files: 2 }],
  E_INPUT_CLOSED: [{ isRunning: no }, { siblings: 1 }, { siblings: 0 }],
  E_OTLP_PACKAGES: [{ packages: ['a', 'b'], reason: no }, { packages: ['a'] }],
  E_LISTEN: [{ reason: 'EADDRINUSE', holder: no }, ...reasons.map((reason) => ({ reason }))],
  E_CONFIG_SYNTAX: [{}, { line: no, column: no, excerpt: no }],
  E_CONFIG_INVALID: [
    { problems: [problem] },
    { problems: [{ ...problem, key: 'nmae', text: 'unknown key' }] },
    { problems: [problem, anywhere] },
  ],
  E_END_UNWRITTEN: ['stop', 'delete'].map((during) => ({ during })),
  E_APP_UNKNOWN: [{}, { nearest: no }, { nearest: no, known: [] }],
  E_WORKER_UNKNOWN: [{ workers: [] }, { workers: ['api:0', 'api:1'] }],
  E_APP_EXISTS: [
    own,
    { ...own, keys: ['instances'] },
    { ...own, keys: ['cwd', 'env.A', 'args', 'watch', 'env.B', 'env.C'] },
    { ...own, reason: 'file', file: '/srv/a.yml' },
    ofOther,
  ],
  E_APP_BUSY: [{ waiting: no }, {}],
  E_PROVE_DOWN: [{ busy: no }, {}],
  E_DEPENDENCY_FAILED: [{ reason: no, isWaiting: no, isDeleted: no }, { isDeleted: no }, {}],
  E_APP_DELETED: [
    { workers: no, renamed: no },
    { renamed: 'web', workers: no },
    { workers: ['api:1'], renamed: no },
    { workers: ['api:1', 'api:2'], renamed: no },
  ],
  E_PRIMARY_REPORT: [{}, { app: no }],
  E_PRIMARY_START: [{}, { errno: 'EMFILE' }, { errno: 'ENOSPC' }],
  E_PROTOCOL_VERSION: [
    { client, server: daemon },
    { client: { ...client, role: 'daemon' }, server: { ...daemon, role: 'primary' } },
  ],
  E_PROTOCOL_CLIENTS: [{ hasReserved: no }, {}],
};

function rendered({ code, exitCode, message, hint }) {
  const text = [`${code} (exit ${exitCode})`, message, hint ?? '(no hint)'].join('\n');
  return text.replaceAll(packageFile(''), '<package>/');
}

t.test('each sentence reads as it must, and has all that it needs', async (t) => {
  const unknown = Object.keys(FORMS).filter((code) => !(code in catalogue));
  t.same(unknown, []);
  const sentences = Object.keys(catalogue).flatMap((code) =>
    (FORMS[code] ?? [{}]).map((form) => rendered(new NodeclusterError(code, dataOf(form)))),
  );
  t.matchSnapshot(sentences.join('\n\n'), 'catalogue');
  const broken = sentences.filter((text) => /undefined|null|NaN|\[object/.test(text));
  t.same(broken, []);
});

t.test('hints name files that exist, and exit codes are documented', async (t) => {
  const { hint } = new NodeclusterError('E_CONFIG_INVALID', { file: 'a.yml', problems: [problem] });
  const [path] = /\S*docs\/reference\/configuration\.md/.exec(`${hint}`);
  t.equal(path, packageFile('docs/reference/configuration.md'));
  t.ok(existsSync(path));
  const known = Object.keys(exitCodes);
  const wrong = Object.entries(catalogue).filter(([, { exitCode }]) => !known.includes(exitCode));
  t.same(wrong, []);
});

t.test('an error crosses a socket as plain data', async (t) => {
  const error = new NodeclusterError('E_APP_BUSY', { app: 'api', doing: 'reload' });
  const copy = NodeclusterError.fromJSON(JSON.parse(JSON.stringify(error)));
  t.same(rendered(copy), rendered(error));
  const unknown = NodeclusterError.fromJSON({ code: 'E_OF_TOMORROW', message: 'new' });
  t.equal(unknown.code, 'E_INTERNAL');
  t.match(unknown.message, /new/);
});

t.test('whatever is thrown becomes a NodeclusterError with its cause', async (t) => {
  const ours = new NodeclusterError('E_NO_APPS', {});
  t.equal(NodeclusterError.from(ours), ours);
  const cause = new TypeError('x is not a function');
  t.equal(NodeclusterError.from(cause).code, 'E_INTERNAL');
  t.equal(NodeclusterError.from(cause).cause, cause);
  t.match(NodeclusterError.from('a string').message, /a string/);
});

const failsWith = (code) => () => {
  throw Object.assign(new Error(code), { code });
};

t.test('what fails has another result, for the errors that are named', async (t) => {
  const done = attempt(() => 1, 2);
  t.equal(done, 1);
  t.equal(attempt(failsWith('EIO'), 2), 2);
  t.equal(attempt(failsWith('ENOENT'), 2, ['ENOENT', 'ENOTDIR']), 2);
  t.throws(() => attempt(failsWith('EIO'), 2, ['ENOENT']), { code: 'EIO' });
  t.throws(() => attempt(() => JSON.parse('{'), 2, ['ENOENT']), SyntaxError);
});
