/** Units of systemd that run apps without a daemon of nodecluster: one service each. */
import { dirname } from 'node:path';
import { commonWarnings, exportedApp } from './app.js';
import { commentedText, printable } from './head.js';
import { percent, quote, quoteArgument } from '../../shared/quoting.js';
import { stopTime } from './resources.js';

/**
 * @import { ExportedApp, Times } from './app.js'
 * @import { Engine, ExportedFile, Order, Warning, Machine } from './engines.js'
 * @import { Spec } from '../../config/spec.js'
 */

/** Keys of settings that are lines of the unit. */
const BY_THE_UNIT = ['uid', 'gid', 'privileged_ports', 'depends_on'];

/** @type {Engine} */
export const systemd = {
  name: 'systemd',
  options: ['cpus'],
  write(order) {
    const exported = order.specs.map((spec) => {
      const app = exportedApp(spec, order, { workdir: null, byEngine: BY_THE_UNIT });
      const texts = warningsOf(app, order);
      const warnings = texts.map((text) => ({ app: app.spec.name, text }));
      return { warnings, files: filesOf(app, order, warnings) };
    });
    return {
      files: exported.flatMap(({ files }) => files),
      warnings: exported.flatMap(({ warnings }) => warnings),
    };
  },
  join: (files) => files.map(({ name, text }) => `# ${placeOf(name)}\n${text}`).join('\n'),
};

/** @param {ExportedApp} app @param {Order} order @param {Warning[]} warnings */
function filesOf(app, { source, machine }, warnings) {
  const name = unitName(app.spec.name);
  const unit = `${name}.service`;
  return [
    { name: unit, text: commentedText('systemd', source, warnings, serviceText(app, machine)) },
    ...(app.role === 'cron'
      ? [{ name: `${name}.timer`, text: commentedText('systemd', source, [], timerText(app)) }]
      : []),
    { name: `${name}.yml`, text: app.file },
  ];
}

/** @param {string} file */
function placeOf(file) {
  return file.endsWith('.yml') ? `/etc/nodecluster/${file}` : `/etc/systemd/system/${file}`;
}

/** @param {ExportedApp} app */
function timerText({ spec: { name }, times }) {
  const { key = '', pattern = '', timezone = null } = times ?? {};
  const zone = timezone === null ? '' : ` ${timezone}`;
  const lines = [
    '[Unit]',
    `Description=Times of ${name}`,
    '',
    '[Timer]',
    `# ${printable(`${key}: ${pattern}`)}`,
    `OnCalendar=${onCalendar(pattern)}${zone}`,
    'AccuracySec=1s',
    '',
    '[Install]',
    'WantedBy=timers.target',
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {ExportedApp} app @param {Order} order */
function warningsOf(app, { machine }) {
  const { spec, times, environment } = app;
  const name = unitName(spec.name);
  const rows = [
    environment.secrets.length > 0 &&
      `write NAME=value lines for ${environment.secrets.join(', ')} to /etc/nodecluster/${name}.env (mode 0600)`,
    spec.uid === null &&
      machine.user === 'root' &&
      'uid is not set, so it runs as a user that exists only while it runs and that can write nothing in cwd',
    times !== null && onCalendarWarning(times),
    times !== null &&
      spec.overlap !== 'skip' &&
      `overlap: ${spec.overlap} has no equivalent: a run that is due while another is busy is left out`,
  ];
  const texts = rows.filter((text) => typeof text === 'string');
  return [...texts, ...commonWarnings(app, 'the machine')];
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

/**
 * The service unit of one app.
 * @param {string} app
 * @returns {string} without a suffix; an app's name may have no other characters
 */
function unitName(app) {
  // `web@1` would be an instance of a template.
  return app.replaceAll('@', '-');
}

/** @param {ExportedApp} app @param {Machine} machine */
function serviceText(app, machine) {
  const { spec, role } = app;
  const lines = [
    ...unitSection(spec),
    '',
    '[Service]',
    ...typeLines(app),
    ...userLines(spec, machine),
    ...pathLines(machine),
    ...secretLines(app),
    `ExecStart=${[machine.node, machine.cli, 'run', placeOf(`${unitName(spec.name)}.yml`)].map(quoteArgument).join(' ')}`,
    'ExecReload=/bin/kill -HUP $MAINPID',
    ...stopLines(spec),
    ...limitLines(app),
    '',
    ...HARDENING,
    ...writableLines(spec),
    ...capabilityLines(spec),
    ...(role === 'cron' ? [] : ['', '[Install]', 'WantedBy=multi-user.target']),
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
  if (role === 'cron') return commented(ending, 'Type=oneshot');
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

/** @param {ExportedApp} app */
function secretLines({ spec: { name }, environment: { secrets } }) {
  if (secrets.length === 0) return [];
  const file = `/etc/nodecluster/${unitName(name)}.env`;
  return commented(`env: ${secrets.join(', ')}`, `EnvironmentFile=${file}`);
}

/** @param {Spec} spec */
function stopLines(spec) {
  const { seconds, setting } = stopTime(spec);
  return ['KillMode=mixed', ...commented(setting, `TimeoutStopSec=${seconds}`)];
}

/** @param {ExportedApp} app */
function limitLines({ resources: { memoryMiB, isLimited, memorySetting } }) {
  const memory = isLimited ? commented(memorySetting, `MemoryMax=${memoryMiB}M`) : [];
  return [...memory, 'OOMPolicy=continue', 'LimitNOFILE=524288', 'TasksMax=infinity'];
}

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

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * @param {string} pattern of five fields, or six with seconds first
 * @returns {string} as OnCalendar has it
 */
export function onCalendar(pattern) {
  const { second, minute, hour, day, month, weekday } = fieldsOf(pattern);
  const days = isAny(weekday) ? '' : `${weekdays(weekday)} `;
  const date = `*-${numbers(monthNumbers(month), 1)}-${numbers(day, 1)}`;
  const time = [hour, minute, second].map((field) => numbers(field, 0)).join(':');
  return `${days}${date} ${time}`;
}

/**
 * @param {Times} times
 * @returns {string | false} what OnCalendar cannot say
 */
export function onCalendarWarning({ key, pattern }) {
  const { day, weekday } = fieldsOf(pattern);
  if (!isAny(weekday) && !isAny(day)) {
    return `${key}: ${pattern} means either of both days, and OnCalendar means both: check it`;
  }
  const isSpecial = /[LW#]/i.test(day) || /[L#]/i.test(weekday);
  return isSpecial && `${key}: OnCalendar may not know ${pattern}: check it`;
}

/** @type {Record<string, string>} */
const NICKNAMES = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** @param {string} pattern */
function fieldsOf(pattern) {
  const fields = (NICKNAMES[pattern.toLowerCase()] ?? pattern).trim().split(/\s+/);
  const [second, minute, hour, day, month, weekday] = fields.length > 5 ? fields : ['0', ...fields];
  return { second, minute, hour, day, month, weekday };
}

/** @param {string} field */
function isAny(field) {
  return field === '*' || field === '?';
}

/** @param {string} field @param {number} first of its values */
function numbers(field, first) {
  return field
    .replaceAll('?', '*')
    .split(',')
    .map((part) => part.replace(/^\*\//, `${first}/`).replace('-', '..'))
    .join(',');
}

/** @param {string} field */
function monthNumbers(field) {
  return field.replace(/[a-z]{3}/gi, (name) => String(MONTHS.indexOf(name.toLowerCase()) + 1));
}

/** @param {string} field */
function weekdays(field) {
  return field
    .replace(/\d/g, (digit) => DAYS[Number(digit)] ?? digit)
    .replace(/[a-z]{3}/gi, (name) => name[0].toUpperCase() + name.slice(1).toLowerCase())
    .replaceAll('-', '..');
}
