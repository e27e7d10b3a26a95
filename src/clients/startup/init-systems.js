/** The units of systemd (why so: docs/decisions/init-systems.md), the property list of launchd, the script of OpenRC. */
import path from 'node:path';
import { shellLine, shellWord } from '../../shared/quoting.js';
import { DOCS } from '../../shared/version.js';
import { GONE, checkedStart, daemonEnvironment, errorLog } from './service.js';

/** @import { InitSystem, Service } from './service.js' */

const MARK = 'Written by `nodecluster startup`, removed by `nodecluster unstartup`.';

/** @type {InitSystem} */
const systemd = {
  mark: '/run/systemd/system',
  platforms: ['ubuntu', 'debian', 'centos', 'redhat', 'amazon', 'arch', 'oracle'],
  installation(service, { configHome }) {
    const isSystem = service.scope === 'system';
    const directory = isSystem ? '/etc/systemd/system' : path.join(configHome, 'systemd', 'user');
    const flags = isSystem ? [] : ['--user'];
    const systemctl = (/** @type {string[]} */ ...args) => ['systemctl', ...flags, ...args];
    const [unit, socket] = [`${service.name}.service`, `${service.name}.socket`];
    const open = shellLine(systemctl('start', socket));
    const giveUp = shellLine(systemctl('reset-failed', socket));
    return {
      units: [
        {
          path: path.join(directory, unit),
          text: serviceText(service),
          activate: [
            systemctl('daemon-reload'),
            // `enable --now` would leave a daemon alone that runs with an older unit.
            systemctl('enable', unit),
            systemctl('restart', unit),
          ],
          deactivate: [systemctl('disable', '--now', unit)],
        },
        {
          path: path.join(directory, socket),
          text: service.sockets.length > 0 ? socketText(service) : null,
          activate: [
            systemctl('daemon-reload'),
            systemctl('enable', socket),
            // systemd opens no sockets for a service that is running, and not those that apps have.
            systemctl('stop', unit),
            ['/bin/sh', '-c', `${open} || ${giveUp}`],
          ],
          // Before the service, which a connection would start again.
          deactivate: [systemctl('disable', '--now', socket)],
          check: systemctl('is-active', socket),
        },
      ],
      forget: [systemctl('daemon-reload')],
      status: systemctl('status', service.name).join(' '),
      log: ['journalctl', ...flags, '-u', service.name, '-n', '20'].join(' '),
    };
  },
};

/** @param {Service} service */
function serviceText(service) {
  const { user, home, scope } = service;
  const isSystem = scope === 'system';
  const lines = [
    `# ${MARK}`,
    '[Unit]',
    `Description=${percent(`nodecluster: apps of ${user} in ${home}`)}`,
    `Documentation=${DOCS}/guides/start-at-boot.md`,
    ...(isSystem
      ? ['Wants=network-online.target', 'After=network-online.target dbus.service']
      : []),
    `RequiresMountsFor=${quote(home)}`,
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=notify',
    // Root's systemd-notify speaks as the daemon; apps of other users must not.
    `NotifyAccess=${isSystem && user === 'root' ? 'main' : 'all'}`,
    ...(isSystem ? [`User=${user}`] : []),
    ...Object.entries(daemonEnvironment(service)).map(
      ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
    ),
    ...service.credentials.map((each) => `LoadCredential=${percent(each)}`),
    `ExecStart=${checkedStart(service, '<3>').map(quoteArgument).join(' ')}`,
    'Restart=always',
    'RestartSec=1',
    'RestartPreventExitStatus=78',
    'WatchdogSec=30',
    'WatchdogSignal=SIGKILL',
    'KillMode=process',
    'TimeoutStopSec=120',
    'OOMPolicy=continue',
    'LimitNOFILE=524288',
    'TasksMax=infinity',
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {Service} service */
function socketText({ name, sockets }) {
  const lines = [
    `# ${MARK}`,
    '[Unit]',
    `Description=Ports of ${name}.service`,
    '',
    '[Socket]',
    ...sockets.map((address) => `ListenStream=${address}`),
    '',
    '[Install]',
    'WantedBy=sockets.target',
  ];
  return `${lines.join('\n')}\n`;
}

/** @type {InitSystem} */
const launchd = {
  mark: '/bin/launchctl',
  platforms: ['macos', 'darwin'],
  installation(service, { uid, userHome }) {
    const isSystem = service.scope === 'system';
    const own = path.join(userHome, 'Library', 'LaunchAgents');
    const file = path.join(isSystem ? '/Library/LaunchDaemons' : own, `${service.name}.plist`);
    const domain = isSystem ? 'system' : `gui/${uid}`;
    const target = `${domain}/${service.name}`;
    const bootstrap = shellLine(['launchctl', 'bootstrap', domain, file]);
    // An earlier one is unloaded, so that the new file takes effect; for some seconds after that, `bootstrap` fails.
    const reload =
      `launchctl bootout ${target} 2>/dev/null; for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do ` +
      `${bootstrap} 2>/dev/null && exit; sleep 1; done; exec ${bootstrap}`;
    return {
      units: [
        {
          path: file,
          text: plist(service),
          activate: [['/bin/sh', '-c', reload]],
          deactivate: [['launchctl', 'bootout', target]],
        },
      ],
      forget: [],
      status: `launchctl print ${target}`,
      log: `cat ${errorLog(service, 'launchd')}`,
    };
  },
};

/** @param {Service} service */
function plist(service) {
  const values = {
    Label: service.name,
    ...(service.scope === 'system' ? { UserName: service.user } : {}),
    ProgramArguments: checkedStart(service),
    EnvironmentVariables: daemonEnvironment(service),
    RunAtLoad: true,
    KeepAlive: true,
    // Otherwise launchd kills the apps when the daemon exits.
    AbandonProcessGroup: true,
    ExitTimeOut: 120,
    SoftResourceLimits: { NumberOfFiles: 65_536 },
    StandardErrorPath: errorLog(service, 'launchd'),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${MARK} -->`,
    '<plist version="1.0">',
    ...element(values, ''),
    '</plist>',
    '',
  ].join('\n');
}

/** @param {unknown} value @param {string} indent @returns {string[]} lines */
function element(value, indent) {
  const inner = `${indent}  `;
  if (typeof value === 'boolean') return [`${indent}<${value}/>`];
  if (typeof value === 'number') return [`${indent}<integer>${value}</integer>`];
  if (typeof value === 'string') return [`${indent}<string>${escapeXml(value)}</string>`];
  if (Array.isArray(value)) {
    const items = value.flatMap((each) => element(each, inner));
    return [`${indent}<array>`, ...items, `${indent}</array>`];
  }
  const entries = Object.entries(/** @type {object} */ (value)).flatMap(([key, each]) => [
    `${inner}<key>${escapeXml(key)}</key>`,
    ...element(each, inner),
  ]);
  return [`${indent}<dict>`, ...entries, `${indent}</dict>`];
}

/** @param {string} text */
function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** @type {InitSystem} */
const openrc = {
  mark: '/run/openrc',
  platforms: ['gentoo'],
  installation(service) {
    const { name } = service;
    return {
      units: [
        {
          path: path.join('/etc/init.d', name),
          text: script(service),
          mode: 0o755,
          activate: [
            ['rc-update', 'add', name, 'default'],
            ['rc-service', name, 'restart'],
          ],
          deactivate: [
            ['rc-service', name, 'stop'],
            ['rc-update', 'del', name],
          ],
        },
      ],
      forget: [],
      status: `rc-service ${name} status`,
      log: `cat ${errorLog(service, 'openrc')}`,
    };
  },
};

/**
 * Variables are not exported, since OpenRC finds its own functions by PATH. SIGKILL is only for a daemon that hangs: the
 * apps are other processes.
 * @param {Service} service
 */
function script(service) {
  const { user, home, node, cli } = service;
  const variables = Object.entries(daemonEnvironment(service)).map((pair) => pair.join('='));
  return `#!/sbin/openrc-run
# ${MARK}
description=${shellWord(`nodecluster: apps of ${user} in ${home}`)}
supervisor=supervise-daemon
command=${evaluatedWords([node])}
command_args=${evaluatedWords([cli, 'daemon'])}
command_user=${evaluatedWords([user])}
error_log=${evaluatedWords([errorLog(service, 'openrc')])}
supervise_daemon_args=${evaluatedWords(variables.flatMap((pair) => ['--env', pair]))}
respawn_delay=1
respawn_max=0
retry=TERM/120/KILL/5
rc_ulimit="-n 524288"

depend() {
	need localmount
	use net dns logger
	after firewall
}

start_pre() {
	for file in ${shellWord(node)} ${shellWord(cli)}; do
		[ -e "$file" ] || { eerror "${GONE}"; return 1; }
	done
}
`;
}

/** OpenRC expands these variables and then evaluates the result. */
function evaluatedWords(/** @type {string[]} */ words) {
  return shellWord(shellLine(words));
}

/** @type {Record<string, InitSystem>} */
export const initSystems = { systemd, launchd, openrc };

/** systemd replaces variables too. @param {string} text @returns {string} one word */
function quoteArgument(text) {
  const value = text.replaceAll('$', '$$$$');
  return /^[\w@:,./+-]+$/.test(value) ? value : quote(value);
}

/** @param {string} text @returns {string} in quotes */
function quote(text) {
  // Single quotes keep a script with double quotes readable; both know the same escapes.
  const mark = text.includes('"') && !text.includes("'") ? "'" : '"';
  const escaped = percent(text).replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`);
  // systemd ends a line at \r too.
  const oneLine = escaped.replace(/[\n\r]/g, (end) => (end === '\n' ? '\\n' : '\\r'));
  return `${mark}${oneLine}${mark}`;
}

/** @param {string} text @returns {string} without specifiers */
function percent(text) {
  return text.replaceAll('%', '%%');
}
