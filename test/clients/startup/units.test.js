/** The files for each init system, from the same facts; their text is in the snapshot. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { initSystems } from '../../../src/clients/startup/init-systems.js';
import { faultOf } from '../../../src/clients/startup/plan.js';
import { serviceName } from '../../../src/clients/startup/service.js';
import { shellLine } from '../../../src/shared/quoting.js';
import { read } from '../../support/sources.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** For a snapshot that need not hold both. */
function lineDifferences(before, after) {
  return [
    ...without(before, after).map((line) => `- ${line}`),
    ...without(after, before).map((line) => `+ ${line}`),
  ];
}

function without(lines, others) {
  const left = [...others];
  return lines.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

const DEPLOY = {
  name: 'nodecluster-deploy',
  scope: 'system',
  user: 'deploy',
  home: '/home/me/.nodecluster',
  node: '/home/me/.nvm/versions/node/v22.11.0/bin/node',
  cli: '/home/me/.nvm/versions/node/v22.11.0/lib/node_modules/nodecluster/bin/nodecluster.js',
  env: { PATH: '/home/me/.nvm/versions/node/v22.11.0/bin:/usr/bin:/bin', TZ: 'Europe/Berlin' },
  sockets: [],
  credentials: [],
};
/** Each character that one of the formats could take for its own. */
const STRANGE = `/srv/it's "50%" & <$HOME> \\n of`;
const SOCKETS = ['3000', '127.0.0.1:3001', '0.0.0.0:3002', '[::1]:3003'];
const place = { uid: 1000, userHome: '/home/me', configHome: '/home/me/.config' };

const installationOf = (system, service) => initSystems[system].installation(service, place);

/** @param installation the files, each with its commands, one a line */
const linesOf = ({ units, ...rest }) => [
  ...units.flatMap(({ text, ...unit }) => [...(text ?? '').split('\n'), ...commandLines(unit)]),
  ...commandLines(rest),
];

const commandLines = (commands) =>
  Object.entries(commands).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return `${name}: ${value}`;
    const list = Array.isArray(value[0]) ? value : [value];
    return list.map((words) => `${name}: ${shellLine(words)}`);
  });

for (const initSystem of ['systemd', 'launchd', 'openrc']) {
  t.test(initSystem, async (t) => {
    const ofUser = linesOf(installationOf(initSystem, DEPLOY));
    t.matchSnapshot(ofUser.join('\n'), 'of a user');
    if (initSystem === 'openrc') return;
    const own = { ...DEPLOY, name: 'nodecluster', scope: 'user' };
    const ofManager = linesOf(installationOf(initSystem, own));
    const differences = lineDifferences(ofUser, ofManager);
    t.matchSnapshot(differences.join('\n'), "what differs for the user's own manager");
  });
}

t.test('credentials', async (t) => {
  const given = ['db:/etc/shop/db.secret', 'a-b.c:/srv/50%'];
  const [{ text }] = installationOf('systemd', { ...DEPLOY, credentials: given }).units;
  t.match(text, '\nLoadCredential=db:/etc/shop/db.secret\nLoadCredential=a-b.c:/srv/50%%\n');
  t.equal(faultOf([], given), null);
  for (const wrong of ['', 'db', 'db:', 'db:a', ':/a', 'a b:/a', 'db:/a b', 'db:/a\nUser=root']) {
    t.match(faultOf([], ['db:/a', wrong]), /--credential takes/, wrong);
  }
});

t.test('a socket unit', async (t) => {
  const service = { ...DEPLOY, sockets: SOCKETS };
  const [, { path, text }] = installationOf('systemd', service).units;
  t.matchSnapshot(text);
  t.equal(path, '/etc/systemd/system/nodecluster-deploy.socket');
  t.equal(faultOf(SOCKETS, []), null);
  for (const wrong of ['', '0', '65536', 'x', '/a.sock', '::1:3000', '30\nUser=root', '1.2.3.4']) {
    t.match(faultOf(['3000', wrong], []), /--socket takes/, wrong);
  }
  t.ok(faultOf(Array(65).fill('3000'), []));
});

t.test('only the unit of root keeps its apps from notifying systemd', async (t) => {
  const of = (service) => installationOf('systemd', service).units[0].text;
  t.match(of({ ...DEPLOY, user: 'root' }), /^NotifyAccess=main$/m);
  t.match(of({ ...DEPLOY, user: 'root', scope: 'user' }), /^NotifyAccess=all$/m);
  t.match(of(DEPLOY), /^NotifyAccess=all$/m);
});

t.test('the unit of the packages is that of a user', async (t) => {
  const service = {
    ...{ ...DEPLOY, name: 'nodecluster@%i', user: '%i', env: {} },
    ...{ node: '/usr/bin/node', cli: '/usr/lib/nodecluster/bin/nodecluster.js' },
  };
  const lines = (text) => text.replaceAll('%%', '%').split('\n');
  const [{ text }] = installationOf('systemd', service).units;
  const packaged = read('packaging/linux/nodecluster@.service');
  t.matchSnapshot(lineDifferences(lines(text), lines(packaged)).join('\n'), 'what differs');
  t.equal(read('packaging/linux/root.conf').split('\n')[2], 'NotifyAccess=main');
});

t.test('two homes have two names', async (t) => {
  const of = (home, scope = 'system', user = 'deploy') =>
    serviceName({ scope, user, userHome: '/home/me', home });
  t.equal(of('/home/me/.nodecluster'), 'nodecluster-deploy');
  t.equal(of('/home/me/.nodecluster', 'user'), 'nodecluster');
  t.match(of('/srv/shop'), /^nodecluster-deploy-shop-[0-9a-f]{6}$/);
  t.not(of('/srv/shop'), of('/opt/shop'));
  t.match(of('/srv/…/'), /^nodecluster-deploy-[0-9a-f]{6}$/);
  t.match(of('/srv/a b%c', 'system', 'DOM\\me'), /^nodecluster-DOM-me-a-b-c-[0-9a-f]{6}$/);
});

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
t.test('systemd accepts the units without a warning', { skip: !hasAnalyze }, async (t) => {
  const directory = t.testdir();
  // The name of a socket in it may have 107 bytes.
  const runtime = temporaryDirectory(t);
  const node = process.execPath;
  const services = [
    { ...DEPLOY, user: 'root', node, cli: node },
    { ...DEPLOY, user: 'root', node, cli: node, home: STRANGE, env: { PATH: STRANGE } },
    { ...DEPLOY, node, cli: node, name: 'own', scope: 'user' },
  ];
  for (const [index, own] of services.entries()) {
    const service = { ...own, name: `nodecluster-${index}`, sockets: SOCKETS };
    const files = installationOf('systemd', service).units.map(({ path: to, text }) => {
      const file = path.join(directory, path.basename(to));
      writeFileSync(file, text);
      return file;
    });
    const scope = service.scope === 'user' ? ['--user'] : [];
    const verified = spawnSync('systemd-analyze', [...scope, '--man=no', 'verify', ...files], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, XDG_RUNTIME_DIR: runtime },
    });
    t.same([verified.status, verified.stdout, verified.stderr], [0, '', ''], `${index}`);
  }
});

t.test('OpenRC reads what was written, and keeps its own PATH', async (t) => {
  const service = { ...DEPLOY, home: STRANGE, node: STRANGE, cli: STRANGE, env: { PATH: STRANGE } };
  const [{ text }] = installationOf('openrc', service).units;
  // As supervise-daemon.sh of OpenRC does.
  const start =
    'eval /usr/bin/printf "%s\\|" ${error_log+--stderr} $error_log ${command_user+--user} $command_user' +
    ' ${supervise_daemon_args} $command -- $command_args';
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', `${text}\n${start}\nenv`], {
    encoding: 'utf8',
    env: { PATH: '/lib/rc/bin' },
  });
  const [home, own] = [`NODECLUSTER_HOME=${STRANGE}`, `NODECLUSTER_SERVICE=${DEPLOY.name}`];
  t.same(stdout.split('|').slice(0, -1), [
    ...['--stderr', `${STRANGE}/openrc.log`, '--user', DEPLOY.user],
    ...['--env', home, '--env', own, '--env', `PATH=${STRANGE}`],
    ...[STRANGE, '--', STRANGE, 'daemon'],
  ]);
  t.notMatch(text, /^export /m);
  t.match(stderr, /env: .*not found/, 'PATH is as before');
});

function readPlist(service) {
  const [{ text: input }] = installationOf('launchd', service).units;
  const read =
    'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  return JSON.parse(spawnSync('python3', ['-c', read], { encoding: 'utf8', input }).stdout);
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
t.test('the property list of launchd is one', { skip: !hasPython }, async (t) => {
  const values = readPlist({ ...DEPLOY, home: STRANGE, cli: STRANGE });
  t.equal(values.EnvironmentVariables.NODECLUSTER_HOME, STRANGE);
  t.same(values.ProgramArguments.slice(3), [DEPLOY.node, STRANGE, 'daemon']);
  // Only what launchd.plist(5) documents.
  const documented = {
    ...{ Label: String, UserName: String, ProgramArguments: Array, EnvironmentVariables: Object },
    ...{ RunAtLoad: Boolean, KeepAlive: true, AbandonProcessGroup: true, ExitTimeOut: Number },
    ...{ SoftResourceLimits: { NumberOfFiles: Number }, StandardErrorPath: String },
  };
  t.match(values, documented);
  t.same(Object.keys(values), Object.keys(documented));
});

t.test('launchd refuses a service for a while after it has unloaded it', async (t) => {
  const directory = t.testdir({
    launchctl:
      '#!/bin/sh\necho "$*" >> "$0.calls"\n[ $1 = bootout ] || [ "$(grep -c bootstrap "$0.calls")" -gt 2 ] || exit 5\n',
    sleep: '#!/bin/sh\n',
  });
  for (const name of ['launchctl', 'sleep']) chmodSync(path.join(directory, name), 0o755);
  const [{ activate }] = installationOf('launchd', DEPLOY).units;
  const [[program, ...args]] = activate;
  const env = { PATH: `${directory}:/usr/bin:/bin` };
  t.equal(spawnSync(program, args, { env }).status, 0);
  const calls = readFileSync(path.join(directory, 'launchctl.calls'), 'utf8').trim().split('\n');
  const begin = 'bootstrap system /Library/LaunchDaemons/nodecluster-deploy.plist';
  t.same(calls, ['bootout system/nodecluster-deploy', ...Array(3).fill(begin)]);
});

t.test('a command line can be pasted into a shell', async (t) => {
  const words = ['printf', '%s|', STRANGE, 'plain', '', 'A=b c'];
  const { stdout } = spawnSync('/bin/sh', ['-c', shellLine(words)], { encoding: 'utf8' });
  t.equal(stdout, `${words.slice(2).join('|')}|`);
});
