/** Units of systemd that run apps without a daemon of nodecluster: one service each. */
import { dirname } from 'node:path';
import { commonRows, exportedApp } from './app.js';
import { warningsOf } from './head.js';
import { printable } from '../../api/write-ecosystem.js';
import { percent, quote, quoteArgument } from '../../shared/quoting.js';
import { stopTime } from './resources.js';

/**
 * @import { ExportedApp } from './app.js'
 * @import { Engine, Machine } from './head.js'
 * @import { Spec } from '../../config/spec.js'
 */

/** Keys of settings that are lines of the unit. */
const BY_THE_UNIT = ['uid', 'gid', 'privileged_ports', 'depends_on'];

/** @type {Engine} */
export const systemd = {
  name: 'systemd',
  options: ['cpus'],
  write: (order) =>
    order.specs.flatMap((spec) => {
      const app = exportedApp(spec, order, { workdir: null, byEngine: BY_THE_UNIT });
      const name = unitName(spec.name);
      const warnings = warningsOf(spec.name, rowsOf(app, order.machine));
      return [
        {
          name: `${name}.service`,
          body: `# /etc/systemd/system/${name}.service\n${serviceText(app, order.machine)}`,
          warnings,
        },
        { name: `${name}.yml`, body: `# ${pathOf(spec, 'yml')}\n${app.file}`, warnings: [] },
      ];
    }),
  separator: '\n',
};

/** @param {Spec} spec @param {'yml' | 'env'} kind of file: its settings, or its secrets */
function pathOf({ name }, kind) {
  return `/etc/nodecluster/${unitName(name)}.${kind}`;
}

/** @param {ExportedApp} app @param {Machine} machine */
function rowsOf(app, { user }) {
  const { spec, environment } = app;
  return [
    environment.secrets.length > 0 &&
      `write NAME=value lines for ${environment.secrets.join(', ')} to ${pathOf(spec, 'env')} (mode 0600)`,
    spec.uid === null &&
      user === 'root' &&
      'uid is not set, so it runs as a user that exists only while it runs and that can write nothing in cwd',
    ...commonRows(app, 'the machine'),
  ];
}

/**
 * No `MemoryDenyWriteExecute`, since V8 compiles; no `ProcSubset=pid`, since nodecluster reads the boot id.
 */
const HARDENING = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectProc=invisible',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
  'LockPersonality=yes',
  'RemoveIPC=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
  'SystemCallErrorNumber=EPERM',
];

/** @param {string} app @returns {string} the name of its service, without a suffix */
function unitName(app) {
  // `web@1` would be an instance of a template.
  return app.replaceAll('@', '-');
}

/** @param {ExportedApp} app @param {Machine} machine */
function serviceText(app, machine) {
  const { spec, environment, resources } = app;
  const { secrets } = environment;
  const stop = stopTime(spec);
  const lines = [
    ...unitSection(spec),
    '',
    '[Service]',
    ...typeLines(app),
    ...userLines(spec, machine),
    ...pathLines(machine),
    ...(secrets.length === 0
      ? []
      : commented(`env: ${secrets.join(', ')}`, `EnvironmentFile=${pathOf(spec, 'env')}`)),
    `ExecStart=${[machine.node, machine.cli, 'run', pathOf(spec, 'yml')].map(quoteArgument).join(' ')}`,
    'ExecReload=/bin/kill -HUP $MAINPID',
    'KillMode=mixed',
    ...commented(stop.setting, `TimeoutStopSec=${stop.seconds}`),
    ...(resources.isLimited
      ? commented(resources.memorySetting, `MemoryMax=${resources.memoryMiB}M`)
      : []),
    'OOMPolicy=continue',
    'LimitNOFILE=524288',
    'TasksMax=infinity',
    '',
    ...HARDENING,
    ...writableLines(spec),
    ...capabilityLines(spec),
    '',
    '[Install]',
    'WantedBy=multi-user.target',
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {string} setting @param {...string} lines */
function commented(setting, ...lines) {
  return [`# ${printable(setting)}`, ...lines];
}

/** @param {Spec} spec */
function unitSection({ name, dependsOn }) {
  const names = Object.keys(dependsOn);
  const others = names.map((other) => `${unitName(other)}.service`).join(' ');
  return [
    '[Unit]',
    `Description=${percent(`${name}, run by nodecluster`)}`,
    'Wants=network-online.target',
    'After=network-online.target',
    ...(names.length === 0
      ? []
      : commented(
          `depends_on: ${names.map((each) => `${each}: ${dependsOn[each]}`).join(', ')}`,
          `Requires=${others}`,
          `After=${others}`,
        )),
    'StartLimitIntervalSec=0',
  ];
}

/** @param {ExportedApp} app */
function typeLines({ spec: { maxRestartDelayMs }, role, ending }) {
  if (role === 'job') return commented(ending, 'Type=oneshot', 'RemainAfterExit=yes');
  return [
    'Type=notify',
    'NotifyAccess=all',
    'WatchdogSec=30',
    'Restart=on-failure',
    ...commented(`max_restart_delay: ${maxRestartDelayMs}ms`, `RestartSec=${maxRestartDelayMs}ms`),
  ];
}

/** @param {Spec} spec @param {Machine} machine */
function userLines({ uid, gid }, { user }) {
  const group = gid === null ? [] : commented(`gid: ${gid}`, `Group=${gid}`);
  if (uid !== null) return [...commented(`uid: ${uid}`, `User=${uid}`), ...group];
  return [user === 'root' ? 'DynamicUser=yes' : `User=${user}`, ...group];
}

/** Programs in fork mode, and npm, look for Node in PATH. @param {Machine} machine */
function pathLines({ node }) {
  const directory = dirname(node);
  if (USUAL_PATH.includes(directory)) return [];
  return [`Environment=${quote(`PATH=${[directory, ...USUAL_PATH].join(':')}`)}`];
}

const USUAL_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];

/** @param {Spec} spec */
function writableLines({ cwd, outFile, errorFile, logFile, pidFile }) {
  const files = [outFile, errorFile, logFile, pidFile].filter((file) => file !== null);
  const directories = files.map((file) => dirname(file)).filter((path) => path !== '/dev');
  const paths = [...new Set([cwd, ...directories])].map((path) => quote(`-${path}`));
  return commented(
    'what the program may write: cwd, its logs',
    `ReadWritePaths=${paths.join(' ')}`,
  );
}

/** @param {Spec} spec */
function capabilityLines({ privilegedPorts, env }) {
  const port = Number(env.PORT);
  if (privilegedPorts.length === 0 && !(port > 0 && port < 1024)) return ['CapabilityBoundingSet='];
  const setting = privilegedPorts.length > 0 ? privilegedPorts.join(', ') : `env.PORT: ${port}`;
  return commented(
    `privileged_ports: ${setting}`,
    'CapabilityBoundingSet=CAP_NET_BIND_SERVICE',
    'AmbientCapabilities=CAP_NET_BIND_SERVICE',
  );
}
