/** Every error has its words. */
import t from 'tap';
import { existsSync } from 'node:fs';
import { catalogue } from '../../src/errors/catalogue.js';
import { NodeclusterError, attempt } from '../../src/errors/error.js';
import { exitCodes } from '../../src/errors/exit-codes.js';
import { packageFile } from '../../src/errors/package-file.js';

// Every sentence of the catalogue once, with sample data: a better wording costs one line here.

const HOME = '/home/me/.nodecluster';
const client = { role: 'cli', version: '2.0.0', protocol: 2 };
const daemon = { role: 'daemon', version: '1.0.0', protocol: 1, pid: 4100 };
const problem = { line: 3, column: 5, key: 'instances', text: 'must be at least 1, not 0' };

const conflict = {
  name: 'api',
  program: '/srv/api.js',
  existing: '/srv/api.js',
  file: '/srv/a.yml',
};

/** What each code is thrown with, once for every form that its sentence takes. */
const SAMPLES = {
  E_INTERNAL: [{ detail: 'x is not a function' }],

  E_USAGE: [
    { detail: "Unknown option '--foo'" },
    { detail: "Unknown option '--watc'", command: 'start', suggestion: '--watch' },
    { detail: "Unknown option '--port'", command: 'start', forProgram: true },
    { detail: "Unknown option '--prune'", command: 'reload', advice: '--prune belongs to apply.' },
  ],
  E_PM2_ONLY: [{ word: 'create', advice: 'Use `nodecluster init`: it writes an ecosystem file.' }],
  E_NOTHING_NAMED: [
    { command: 'start', directory: '/srv/api' },
    { command: 'start', directory: '/srv/api', hasPackage: true },
    { command: 'stop', directory: '/srv/api' },
    { command: 'apply', directory: '/srv/api' },
  ],
  E_MIXED_TARGETS: [{ file: 'ecosystem.yml', command: 'reload' }],
  E_OPTION_NEEDS_FILE: [
    { option: '--prune', command: 'reload' },
    { option: '--env', command: 'start' },
  ],
  E_NEITHER_FILE_NOR_APP: [
    { word: 'npm', line: 'npm start', directory: '/srv', isCommand: true },
    { word: 'apo', directory: '/srv', nearest: 'api', known: ['api'] },
    { word: 'apo', directory: '/srv', known: ['web', 'shop'] },
    { word: 'apo', directory: '/srv' },
    { word: 'npm', directory: '/srv', isCommand: true },
  ],
  E_NO_APPS: [
    { home: HOME },
    { home: HOME, file: 'ecosystem.yml' },
    { home: HOME, keepsNoSnapshot: true },
  ],
  E_PM2_NOT_FOUND: [{ home: '/home/me/.pm2', file: '/home/me/.pm2/dump.pm2' }],
  E_PM2_LIST: [{ source: '/srv/dump.pm2' }],
  E_PM2_EMPTY: [{ source: '`pm2 jlist`' }],
  E_PM2_FAILED: [{ args: ['stop', '0'], reason: 'spawn pm2 ENOENT' }],
  E_DAEMON_NOT_RUNNING: [{ home: HOME }],
  E_NO_INIT_SYSTEM: [
    {
      command: 'startup',
      atBoot: 'env PATH=/usr/bin /usr/bin/node /usr/bin/nodecluster resurrect',
    },
    {
      command: 'startup',
      initSystem: 'openrc',
      user: 'deploy',
      atBoot: 'env PATH=/usr/bin node nodecluster',
    },
    { command: 'unstartup' },
  ],
  E_NAME_TAKEN: [{ name: 'web' }],
  E_USER_UNKNOWN: [{ user: 'deploi' }],
  E_LINGER: [{ user: 'deploy' }],
  E_SERVICE: [
    {
      command: 'systemctl restart nodecluster-deploy.service',
      reason: 'Job for nodecluster-deploy.service failed.',
      log: 'journalctl -u nodecluster-deploy -n 20',
    },
  ],
  E_SERVICE_FILE: [{ file: '/etc/systemd/system/nodecluster-deploy.service', reason: 'EROFS' }],
  E_DAEMON_RUNS: [
    { home: HOME, pid: 4711, isService: false },
    { home: HOME, pid: 4711, isService: true },
  ],
  E_WEB_PUBLIC: [{ address: '0.0.0.0:9477' }],
  E_WEB_PROXY_URL: [{ url: 'ops.example' }],
  E_WEB_TLS: [{ file: '/etc/ssl/ops.pem', reason: 'ENOENT' }],
  E_WEB_UNBUILT: [{ reason: "Cannot find package 'esbuild'" }],
  E_NO_TERMINAL: [
    { command: 'monit', reason: 'not one' },
    { command: 'monit', reason: 'TERM=dumb' },
  ],
  E_DAEMON_SILENT: [
    { home: HOME, pid: 4711, log: `${HOME}/daemon.log` },
    { home: HOME, log: `${HOME}/daemon.log` },
    { home: HOME, pid: null, socket: `${HOME}/daemon.sock`, log: `${HOME}/daemon.log` },
  ],
  E_DAEMON_UNREACHABLE: [
    { home: HOME, pid: 4100, socket: `${HOME}/daemon.sock`, log: `${HOME}/daemon.log` },
  ],
  E_UPDATE_FOREGROUND: [{ pid: 7 }],
  E_UPDATE_OTHER_COMMAND: [
    {
      node: '/usr/bin/node',
      cli: '/usr/lib/node_modules/nodecluster/bin/nodecluster.js',
      ownNode: '/opt/node/bin/node',
      ownCli: '/opt/node/lib/node_modules/nodecluster/bin/nodecluster.js',
    },
  ],
  E_UPDATE_NO_SERVICE: [
    { seconds: 20, running: daemon },
    { seconds: 20, running: null },
  ],
  E_UPDATE_FAILED: [
    {
      reason: 'it exited with code 1',
      lastLines: ['x is not defined'],
      running: daemon,
      log: `${HOME}/daemon.log`,
    },
    { reason: 'it exited with code 1', running: null, log: `${HOME}/daemon.log` },
    { reason: 'it exited with code 1', log: `${HOME}/daemon.log` },
  ],
  E_DAEMON_START: [
    { reason: 'it exited with code 1', log: `${HOME}/daemon.log` },
    { reason: 'it exited with code 1', log: `${HOME}/daemon.log`, lastLines: ['one', 'two'] },
  ],
  E_NO_PROGRAM: [{ directory: '/srv' }],
  E_NONE_RUNS: [{ home: HOME }],
  E_INSPECT: [{ app: 'api', slot: 1, reason: 'does not run' }],
  E_PROFILE_SELECTOR: [{ selector: 'api', count: 4, worker: 'api:0' }],
  E_PROFILE_EXISTS: [{ file: '/srv/api-0-g1-20261123-101502.cpuprofile' }],
  E_PROFILE_LOST: [{ app: 'api', slot: 1, reason: 'the worker has exited' }],
  E_FILE_EXISTS: [{ file: '/srv/ecosystem.yml' }],
  E_FILE_UNWRITABLE: ['EACCES', 'EISDIR', 'ENOENT', 'ENOSPC'].map((reason) => ({
    file: '/srv/ecosystem.yml',
    reason,
  })),
  E_LOG_TIMELESS: [{ path: '/srv/out.log', app: 'api' }],
  E_LOG_UNREADABLE: [{ file: '/srv/out.log', reason: 'EACCES' }],
  E_LOG_MISSED: [
    { app: 'api', files: 1 },
    { app: 'api', files: 2 },
  ],
  E_LOG_NONE: [{ home: HOME }],
  E_INPUT_TARGET: [{ names: ['api:0', 'api:1'] }, { names: [] }],
  E_INPUT_CLOSED: [
    { name: 'api:0', isRunning: false },
    { name: 'api:0', isRunning: true, siblings: 1 },
    { name: 'api:0', isRunning: true, siblings: 0 },
  ],
  E_INPUT_UNREAD: [{ name: 'api:0' }],
  E_MESSAGE_JSON: [
    { reason: 'Unexpected end of JSON input' },
    { reason: 'Unexpected token h', line: `nodecluster send 0 '"hello"'` },
  ],
  E_MESSAGE_UNHEARD: [{ names: ['api', 'web'] }],
  E_SIGNAL_UNSENT: [{ signal: 'SIGUSR2', names: ['api', 'web'] }],
  E_OTLP_PACKAGES: [
    { name: '@opentelemetry/resources', packages: ['@opentelemetry/resources'] },
    {
      name: '@opentelemetry/resources',
      packages: ['@opentelemetry/resources'],
      reason: 'Unexpected token',
    },
  ],
  E_OTLP_URL: [{ url: 'collector' }],
  E_LISTEN_ADDRESS: [{ address: 'here' }],
  E_LISTEN: ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EINVAL'].map((reason) => ({
    address: '127.0.0.1:80',
    reason,
  })),
  E_OUTPUT: [{ reason: 'ENOSPC' }],

  E_CONFIG_UNREADABLE: [
    { file: 'shop.yml', reason: 'permission denied' },
    { file: 'shop.yml', reason: 'it is a directory' },
    { file: 'shop.yml', reason: 'it is not UTF-8' },
    { file: 'shop.yaml', reason: 'it does not exist', similar: 'shop.yml' },
  ],
  E_CONFIG_PACKAGE: [{ file: 'package.json' }],
  E_CONFIG_EMPTY: [{ file: 'shop.yml' }, { file: 'shop.config.js', isScript: true }],
  E_CONFIG_SYNTAX: [
    { file: 'a.yml', line: 2, column: 7, language: 'YAML', reason: 'bad indent', excerpt: ' x: y' },
    { file: 'a.json', language: 'JSON', reason: 'the file ends too early' },
  ],
  E_CONFIG_SCRIPT_FAILED: [{ file: 'a.config.js', line: 4, reason: 'x is not defined' }],
  E_CONFIG_INVALID: [
    { file: 'a.yml', problems: [problem] },
    { file: 'a.yml', problems: [{ ...problem, key: 'nmae', text: 'unknown key "nmae"' }] },
    { file: 'a.yml', problems: [problem, { line: null, column: null, key: '', text: 'no apps' }] },
  ],
  E_CONFIG_ENV_UNKNOWN: [{ file: 'a.yml', name: 'test', known: ['production', 'staging'] }],
  E_CONFIG_APP_UNKNOWN: [{ file: 'a.yml', names: ['x', 'y'], known: ['api', 'web'] }],
  E_PROGRAM_CHANGED: [
    {
      app: 'web',
      reason: 'the script "start" of /srv/web/package.json needs a shell (`&&`)',
    },
  ],
  E_CANNOT_RUN: [
    { faults: ['there is no /srv/a.js'] },
    { faults: ['expected an executable file (/srv/a is not executable)'] },
  ],
  E_FLAG_INVALID: [{ problems: [{ ...problem, key: '--instances' }], command: 'reload' }],

  E_HOME_UNUSABLE: [{ directory: HOME, reason: 'EACCES' }],
  E_HOME_UNKNOWN: [{ uid: 12345 }],
  E_DIRECTORY_DELETED: [
    { directory: '/srv/releases/1', isCwd: false },
    { directory: '/srv/releases/1', isCwd: true },
  ],
  E_HOME_NOT_A_PATH: [{ given: '$X/n', fault: '$X is not expanded in a path' }],
  E_NO_WRITABLE_DIRECTORY: [
    {
      failures: [
        { directory: '/dev/shm', reason: 'EROFS' },
        { directory: '/tmp', reason: 'EACCES' },
      ],
    },
  ],
  E_SEVERAL_RUNS: [{ homes: ['/dev/shm/nodecluster-run-0-a', '/dev/shm/nodecluster-run-0-b'] }],
  E_HOME_NOT_A_DIRECTORY: [{ directory: HOME }],
  E_HOME_FOREIGN: [{ directory: HOME, owner: 1001, uid: 1000 }],
  E_HOME_OPEN: [{ directory: HOME, mode: '0755' }],
  E_HOME_TOO_LONG: [{ directory: HOME, excess: 12 }],
  E_HOME_WRITE: [{ file: `${HOME}/desired.json`, reason: 'ENOSPC' }],
  E_HOME_READ: [{ file: `${HOME}/desired.json`, reason: 'EACCES' }],
  E_HOME_LOCK: [{ home: HOME, reason: 'EIO: i/o error, scandir' }],
  E_END_UNWRITTEN: [
    { during: 'stop', file: `${HOME}/desired.json`, reason: 'ENOSPC' },
    { during: 'delete', file: `${HOME}/desired.json`, reason: 'ENOSPC' },
    { during: 'kill', file: `${HOME}/desired.json`, reason: 'ENOSPC' },
  ],
  E_REQUEST_INVALID: [{ what: 'selectors is not a list of strings' }],
  E_APP_UNKNOWN: [
    { selector: 'apo', known: ['api', 'web'], nearest: 'api' },
    { selector: 'x', known: ['api', 'web'], nearest: null },
    { selector: 'x', known: [], nearest: null },
    {
      selector: 'app',
      known: ['shop'],
      nearest: null,
      runs: { name: 'shop', script: '/srv/shop/app.js' },
    },
  ],
  E_WORKER_UNKNOWN: [
    { selector: '7', workers: [] },
    { selector: 'api:7', workers: ['api:0', 'api:1'] },
  ],
  E_APP_EXISTS: [
    { conflicts: [{ ...conflict, reason: 'running', free: 'api-2' }] },
    {
      conflicts: [{ ...conflict, reason: 'running', free: 'api-2', keys: ['instances'], count: 4 }],
    },
    {
      conflicts: [
        {
          ...conflict,
          reason: 'running',
          keys: ['cwd', 'env.A', 'args', 'watch', 'env.B', 'env.C'],
        },
      ],
    },
    { conflicts: [{ ...conflict, reason: 'file', free: 'api-2' }] },
    {
      conflicts: [
        { ...conflict, reason: 'program', existing: '/old/api.js', free: 'shop' },
        { ...conflict, name: 'web', reason: 'running', free: null },
      ],
    },
  ],
  E_NAME_TWICE: [{ name: 'api' }],
  E_CANARY: [{ app: 'api' }],
  E_APP_BUSY: [
    { app: 'api', doing: 'reload' },
    { app: 'api', doing: 'start', waiting: 100 },
  ],
  E_PROVE_APP: [{ names: [] }, { names: ['api', 'web'] }],
  E_PROVE_DOWN: [
    { app: 'api', status: 'errored', busy: null },
    { app: 'api', status: 'online', busy: 'reload' },
  ],
  E_PROVE_EVENT: ['primary', 'daemon'].map((event) => ({ app: 'api', event })),
  E_PROVE_ADDRESS: [
    { app: 'api', addresses: [] },
    { app: 'api', addresses: ['*:3000', '*:9000'] },
  ],
  E_PROVE_ANSWER: [
    { app: 'api', url: 'http://127.0.0.1:3000/', reasons: ['ECONNRESET', 'status 503'] },
  ],
  E_PROVE_ELSEWHERE: [{ app: 'api', url: 'http://127.0.0.1:80/', requests: 50 }],
  E_PROVE_CONFIRM: [{ app: 'api' }],
  E_APP_DELETED: [{ app: 'api' }],
  E_APP_STOPPED: [{ app: 'api' }],
  E_APP_KILLED: [{ app: 'api' }],
  E_DAEMON_EXITS: [{ app: 'api' }],
  E_DEPENDENCY_FAILED: [{}, { isWaiting: true }, { isWaiting: true, isDeleted: true }].map(
    (how) => ({ app: 'web', dependency: 'db', ...how }),
  ),
  E_WORKER_DELETED: [{ workers: ['api:1'] }, { workers: ['api:1', 'api:2'] }],
  E_DAEMON_LOST: [{ method: 'reload' }],
  E_DAEMON_ENDING: [{}],
  E_SELECTOR_REGEX: [{ selector: '/(/', reason: 'Unterminated group' }],
  E_NOT_A_JOB: [{ app: 'web' }],
  E_JOB_STOPPED: [{ app: 'report' }],
  E_JOB_RUNS: [{ app: 'report' }],
  E_SCALE_COUNT: [
    { instances: '-5', present: 1 },
    { instances: '-5', present: 2 },
    { instances: 'many', present: 2 },
    { instances: '0', present: 2 },
  ],
  E_SCALE_FORK: [{ app: 'web', reason: 'nodemon app.js is made for development' }],
  E_SCALE_JOB: [{ app: 'cleanup' }],
  E_SCALE_RANGE: [{ app: 'web', count: 12, min: 2, max: 8 }],
  E_SCALE_SELECTOR: [{ selector: 'all' }],
  E_FILE_UNTRUSTED: [{ file: '/srv/logs/api.log', reason: 'it is a symbolic link' }],
  E_PRIVILEGED_PORT: [{ app: 'api', reason: 'could not listen on port 80: in use by nginx' }],
  E_USER_ACCESS: [{ app: 'api', user: 'www-data', path: '/root' }],
  E_USER_GROUP: [{ app: 'api', uid: 4711 }],
  E_PRIMARY_USER: [{ app: 'api', uid: 33 }],
  E_LOG_FILE: [{ file: '/srv/out.log', reason: 'EACCES' }],
  E_LOG_OF_APP: [{ app: 'api' }],
  E_SIGNAL: [{ signal: 'SIGNOPE' }],
  E_MESSAGE: [{ fault: 'its cmd begins with NODE_, which Node.js reserves' }],
  E_PRIMARY_START: [
    'exited with code 1',
    'could not be started: spawn /usr/bin/node EMFILE',
    'could not be started: spawn /usr/bin/node EAGAIN',
    'could not be started: ENOSPC: no space left on device, mkdir',
  ].map((reason) => ({ app: 'api', reason, log: '/h/apps/api/primary.log' })),
  E_PRIMARY_STAYS: [{ app: 'api', address: '/run/api.sock' }],
  E_UPDATE_ENDED: [{ app: 'web', failed: 'api' }],
  E_SECOND_PRIMARY: [{ app: 'api', reason: 'The primary process of api exited.', log: '/log' }],
  E_PRIMARY_REPORT: [{ app: 'api', what: 'slots' }],
  E_PRIMARY_SILENT: [{ app: 'api', pid: 4107, reason: 'No reply to hello within 5000 ms.' }],
  E_PRIMARY_UNCLEAR: [{ app: 'api', reason: 'Could not connect to /h/1/primary.sock (EACCES).' }],
  E_PRIMARY_GONE: [{ app: 'api', log: '/h/apps/api/primary.log' }],
  E_PRIMARY_LOST: [{ app: 'api', pid: 4107, reason: null, log: '/h/apps/api/primary.log' }],

  E_PROTOCOL_UNREACHABLE: [{ socket: `${HOME}/daemon.sock`, reason: 'ECONNREFUSED' }],
  E_PROTOCOL_TIMEOUT: [{ what: 'list', ms: 5000 }],
  E_PROTOCOL_CLOSED: [{ method: 'reload' }],
  E_PROTOCOL_VERSION: [
    { client, server: daemon },
    { client: { ...client, role: 'daemon' }, server: { ...daemon, role: 'primary' } },
  ],
  E_PROTOCOL_HELLO: [{}],
  E_PROTOCOL_SILENT: [{ ms: 2000 }],
  E_PROTOCOL_FRAME: [{ reason: 'not JSON' }],
  E_PROTOCOL_FRAME_SIZE: [{ maxBytes: 1024 }],
  E_PROTOCOL_METHOD: [{ method: 'fly' }],
  E_PROTOCOL_PARAMS: [{ method: 'scale', key: 'slots' }],
  E_PROTOCOL_CLIENTS: [{ maxClients: 64 }, { maxClients: 64, hasReserved: true }],
  E_PROTOCOL_REQUESTS: [{ maxRequests: 100 }],
  E_PROTOCOL_SOCKET: [{ socket: `${HOME}/daemon.sock`, reason: 'EACCES' }],
};

function rendered({ code, exitCode, message, hint }) {
  const text = [`${code} (exit ${exitCode})`, message, hint ?? '(no hint)'].join('\n');
  return text.replaceAll(packageFile(''), '<package>/');
}

t.test('every code has a sample, and no other', async (t) => {
  t.same(Object.keys(SAMPLES).sort(), Object.keys(catalogue).sort());
});

t.test('each sentence reads as it must', async (t) => {
  const errors = Object.entries(SAMPLES).flatMap(([code, samples]) =>
    samples.map((data) => new NodeclusterError(code, data)),
  );
  t.matchSnapshot(errors.map(rendered).join('\n\n'), 'catalogue');
});

t.test('a sample gives its sentence all that it needs', async (t) => {
  const broken = Object.entries(SAMPLES).flatMap(([code, samples]) =>
    samples
      .map((data) => rendered(new NodeclusterError(code, data)))
      .filter((text) => /undefined|null|NaN|\[object/.test(text)),
  );
  t.same(broken, []);
});

t.test('a hint names files of the package that exist', async (t) => {
  const { hint } = new NodeclusterError('E_CONFIG_INVALID', { file: 'a.yml', problems: [problem] });
  const [path] = /\S*docs\/reference\/configuration\.md/.exec(`${hint}`);
  t.equal(path, packageFile('docs/reference/configuration.md'));
  t.ok(existsSync(path));
});

t.test('an exit code is one of those that are documented', async (t) => {
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

t.test('what fails has another result', async (t) => {
  t.equal(
    attempt(() => 1, 2),
    1,
  );
  t.equal(attempt(failsWith('EIO'), 2), 2);
});

t.test('only the errors that are named', async (t) => {
  t.equal(attempt(failsWith('ENOENT'), 2, ['ENOENT', 'ENOTDIR']), 2);
  t.throws(() => attempt(failsWith('EIO'), 2, ['ENOENT']), { code: 'EIO' });
  t.throws(() => attempt(() => JSON.parse('{'), 2, ['ENOENT']), SyntaxError);
});
